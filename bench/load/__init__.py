"""The load benchmark: what a move costs on Parlour and on comparable servers. Run `python -m bench.load`."""
