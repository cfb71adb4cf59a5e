"""Measurements of Parlour; see the README beside this file."""
