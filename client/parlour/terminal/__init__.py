"""The terminal client: on a full screen, or line by line. It is built on the SDK, and knows no game."""
