"""Configuration: the settings of a node, their types, and the sources that they are read from."""
