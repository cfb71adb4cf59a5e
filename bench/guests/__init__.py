"""Whether a day of guests leaves anything behind in the store or in a node: `python -m bench.guests`."""
