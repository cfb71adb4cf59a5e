"""Several processes that serve one port: `--workers`. A supervisor starts them; each is a node of its own."""
