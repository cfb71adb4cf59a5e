"""The published protocol: reference, AsyncAPI, TypeScript types and vectors, all made from the structs.

`python -m publish` writes every file; `python -m publish --check` says which are stale.
"""
