"""A simulated day of guests, which must leave nothing behind in the store or in a node: `python -m bench.guests`."""
