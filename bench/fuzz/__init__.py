"""A fuzzer of the server: tests that no input of a client makes it fail. Run `python -m bench.fuzz`."""
