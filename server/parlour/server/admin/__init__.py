"""What operators can see and do, over HTTP and from the command line."""
