"""How much a move costs: Parlour and three other servers under the same load. Run `python -m bench.load`."""
