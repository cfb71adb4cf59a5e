-- The player who has a token; to be asked counts as use.
--
-- KEYS  1 token
-- ARGV  1 its digest; 2 milliseconds until an unused guest is forgotten; 3 prefix of players; 4 prefix of names
-- gives {id, name, kind} or nothing
--
-- The other two keys are found on the way. They have the same hash tag, so a cluster has them in the same place.
local HOUR = 3600 * 1000

local id = redis.call('GET', KEYS[1])
if not id then return false end
local player, field = ARGV[3] .. id, 'token:' .. ARGV[1]
local known = redis.call('HMGET', player, 'name', 'folded', 'kind', field)
if not known[4] then return false end
if known[3] == 'guest' and redis.call('PTTL', KEYS[1]) < ARGV[2] * 0.9 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  redis.call('PEXPIRE', player, ARGV[2])
  redis.call('PEXPIRE', ARGV[4] .. known[2], ARGV[2])
end
local made, used = string.match(known[4], '(%d+) (%d+)')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- Not at every use: that would be a write for each connection.
if now - used > HOUR then redis.call('HSET', player, field, made .. ' ' .. now) end
return {id, known[1], known[3]}
