-- Store or remove an operator's restriction of a player.
--
-- KEYS  1 player
-- ARGV  1 field; 2 value, or '' to remove it
-- Returns 1, or 0 if there is no such player.
if redis.call('HEXISTS', KEYS[1], 'name') == 0 then return 0 end
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return 1
