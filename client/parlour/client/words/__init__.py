"""What a player reads or hears: clocks, results, turns and boards in plain sentences, the same in every client."""
