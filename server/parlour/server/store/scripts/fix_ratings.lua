-- Fix the ratings that two players had before their game, unless they are fixed already.
--
-- KEYS  1 ratings of the room
-- ARGV  1 ratings before the game; 2 TTL in milliseconds
-- Returns {ratings before the game, ratings after it or nil}.
if redis.call('HSETNX', KEYS[1], 'before', ARGV[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return redis.call('HMGET', KEYS[1], 'before', 'after')
