-- Free a name, if it is this player's.
--
-- KEYS  1 name
-- ARGV  1 id of the player
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
