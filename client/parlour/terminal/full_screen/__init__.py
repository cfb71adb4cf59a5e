"""The full-screen client: a Textual app with one file per screen. It draws any game from its scene and knows none."""
