"""The capacity model of docs/scale.md: what it is fed with, what it computes, and how it is checked."""
