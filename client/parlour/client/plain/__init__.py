"""The client line by line, for pipes, scripts and screen readers: everything by typed words, told in sentences."""
