-- Store the rating of a player after a game, once, if it has not changed since the caller read it.
--
-- KEYS  1 ratings
-- ARGV  1 game; 2 field that says that this game was counted; 3 rating before, or ''; 4 rating after; 5 the same as shown;
--       6 TTL in milliseconds, 0 for none
-- Returns the rating after the game, as shown; 0 if the rating has changed.
local counted = redis.call('HGET', KEYS[1], ARGV[2])
if counted then return counted end
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4], ARGV[2], ARGV[5])
if ARGV[6] == '0' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[6]) end
return ARGV[5]
