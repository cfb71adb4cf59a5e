"""Limits: what each command costs, and who pays for it."""
