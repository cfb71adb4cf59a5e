"""WebSockets and HTTP on one port: connections as the node sees them, their limits, and files for browsers."""
