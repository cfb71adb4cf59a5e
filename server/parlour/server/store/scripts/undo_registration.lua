-- Turn an account whose name another player has taken back into the guest it was.
--
-- KEYS  1 player
-- ARGV  1 TTL of an unused guest in milliseconds
local before = redis.call('HGET', KEYS[1], 'unconfirmed')
if not before then return end
local folded, name = string.match(before, '^(%S*) (.*)$')
redis.call('HSET', KEYS[1], 'kind', 'guest', 'name', name, 'folded', folded)
redis.call('HDEL', KEYS[1], 'password', 'registered', 'unconfirmed')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
