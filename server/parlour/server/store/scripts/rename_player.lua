-- Give a player another name, which is reserved for it.
--
-- KEYS  1 player
-- ARGV  1 name as shown; 2 name as compared
-- Returns {the former name as compared, kind, id of a bot's owner, remaining TTL}, or nil if there is no such player.
local known = redis.call('HMGET', KEYS[1], 'folded', 'kind', 'owner')
if not known[1] then return false end
redis.call('HSET', KEYS[1], 'name', ARGV[1], 'folded', ARGV[2])
return {known[1], known[2], known[3] or '', redis.call('PTTL', KEYS[1])}
