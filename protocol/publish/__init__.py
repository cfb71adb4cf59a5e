"""Generates the published protocol from its source: the reference, AsyncAPI, TypeScript types and test vectors.

`python -m publish` writes every file; `python -m publish --check` lists the stale ones.
"""
