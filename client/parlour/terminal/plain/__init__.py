"""The line client: reads commands and prints text, for pipes, scripts and screen readers."""
