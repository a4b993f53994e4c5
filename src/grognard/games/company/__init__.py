"""A company-level game of d6: platoons of stands that act until one fails."""
