-- Read a player by a token, and record that the token was used.
--
-- KEYS  1 player
-- ARGV  1 digest of the token; 2 TTL in milliseconds to give to a guest, or 0 to leave it
-- Returns {name, kind, created, owner, suspended, muted, name as compared, '1' if the registration is not complete,
--         scopes of the token or nothing}, or nil.
local HOUR = 3600 * 1000

local field = 'token:' .. ARGV[1]
local known = redis.call('HMGET', KEYS[1], 'name', 'kind', 'created', 'owner', 'suspended', 'muted',
  'folded', 'unconfirmed', field)
if not known[9] then return false end
if known[2] == 'guest' and ARGV[2] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
local created, used, scopes = string.match(known[9], '(%d+) (%d+)(.*)')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- At most once an hour, to avoid a write for every connection.
if now - used > HOUR then redis.call('HSET', KEYS[1], field, created .. ' ' .. now .. scopes) end
return {known[1], known[2], known[3], known[4], known[5], known[6], known[7], known[8] and '1' or '0', scopes}
