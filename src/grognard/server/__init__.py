"""The web application: games stored in a database, seats with secrets, and the browser client."""
