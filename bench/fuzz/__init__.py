"""Whether anything that a client can send makes a server fail: `python -m bench.fuzz`."""
