"""The web application: games kept in a database, seats with secrets, and the browser client."""
