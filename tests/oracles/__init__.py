"""The plain versions: short, slow, obviously the equation."""
