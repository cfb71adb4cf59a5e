"""What clients and servers say to each other, and what a board looks like to both."""
