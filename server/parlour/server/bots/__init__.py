"""The server's bots: engine processes, the workers that use them, and the service that clients ask."""
