"""The HTTP API below /api/v1/: its operations are data, from which requests are answered and OpenAPI is generated."""
