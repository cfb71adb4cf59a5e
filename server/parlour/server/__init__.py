"""A node: the process that holds rooms and talks to clients."""
