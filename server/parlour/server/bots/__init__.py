"""The computer as a player: who thinks, where, and how its moves come to the table."""
