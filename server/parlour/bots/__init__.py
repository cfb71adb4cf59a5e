"""Programs that choose moves: search, levels of strength, and contests that measure them."""
