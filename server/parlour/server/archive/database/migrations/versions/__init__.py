"""One file per revision of the schema, each self-contained: a revision never changes once it is released."""
