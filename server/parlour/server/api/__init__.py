"""The HTTP API below /api/v1/. Requests are routed, and OpenAPI is generated, from a table of operations."""
