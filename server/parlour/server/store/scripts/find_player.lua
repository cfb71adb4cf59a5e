-- Find the player with a token, and note that the token was used.
--
-- KEYS  1 token
-- ARGV  1 digest of the token; 2 TTL of an unused guest in milliseconds; 3 prefix of players; 4 prefix of names
-- Returns {id, name, kind, created, owner}, or nil.
--
-- The keys of the player and the name are only known here. They have the same hash tag, hence the same cluster slot.
local HOUR = 3600 * 1000

local id = redis.call('GET', KEYS[1])
if not id then return false end
local player, field = ARGV[3] .. id, 'token:' .. ARGV[1]
local known = redis.call('HMGET', player, 'name', 'kind', 'created', 'owner', 'folded', field)
if not known[6] then return false end
if known[2] == 'guest' and redis.call('PTTL', KEYS[1]) < ARGV[2] * 0.9 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  redis.call('PEXPIRE', player, ARGV[2])
  redis.call('PEXPIRE', ARGV[4] .. known[5], ARGV[2])
end
local created, used = string.match(known[6], '(%d+) (%d+)')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- At most once an hour, to avoid a write for every connection.
if now - used > HOUR then redis.call('HSET', player, field, created .. ' ' .. now) end
return {id, known[1], known[2], known[3], known[4]}
