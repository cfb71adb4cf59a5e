-- Issue one more token for an account. If there are too many, revoke the least recently used ones, but none that is
-- limited to scopes.
--
-- KEYS  1 player
-- ARGV  1 digest of the token; 2 maximum number of tokens; 3 hash of the password that was checked
--       4 another hash of the same password, to be stored instead, or empty
-- Returns the digests of the revoked tokens, or nil if the password has changed, or was for one sign-in and is used.
if redis.call('HGET', KEYS[1], 'password') ~= ARGV[3] then return false end
local once = redis.call('HGET', KEYS[1], 'password_once')
if once == 'used' then return false end
if once then redis.call('HSET', KEYS[1], 'password_once', 'used') end
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'password', ARGV[4]) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'token:' .. ARGV[1], now .. ' ' .. now)

local others = {}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local digest = string.match(fields[i], '^token:(.*)')
  local used = string.match(fields[i + 1], '^%d+ (%d+)$')  -- of a token without scopes
  if digest and used and digest ~= ARGV[1] then others[#others + 1] = {digest, tonumber(used)} end
end
table.sort(others, function(a, b) return a[2] < b[2] end)
local revoked = {}
for i = 1, #others + 1 - ARGV[2] do
  revoked[i] = others[i][1]
  redis.call('HDEL', KEYS[1], 'token:' .. revoked[i])
end
return revoked
