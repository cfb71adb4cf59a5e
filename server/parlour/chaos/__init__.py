"""`parlour chaos`: break a cluster on purpose while clients play on it, and check that every guarantee holds."""
