-- Issue one more token for an account. If there are too many, revoke the least recently used ones.
--
-- KEYS  1 player; 2 token
-- ARGV  1 id; 2 digest of the token; 3 maximum number of tokens; 4 hash of the password that was checked;
--       5 prefix of tokens
-- Returns the digests of the revoked tokens, or nil if the password has changed.
if redis.call('HGET', KEYS[1], 'password') ~= ARGV[4] then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'token:' .. ARGV[2], now .. ' ' .. now)
redis.call('SET', KEYS[2], ARGV[1])

local others = {}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local digest = string.match(fields[i], '^token:(.*)')
  if digest and digest ~= ARGV[2] then
    others[#others + 1] = {digest, tonumber(string.match(fields[i + 1], ' (%d+)'))}
  end
end
table.sort(others, function(a, b) return a[2] < b[2] end)
local revoked = {}
for i = 1, #others + 1 - ARGV[3] do
  revoked[i] = others[i][1]
  redis.call('HDEL', KEYS[1], 'token:' .. revoked[i])
  redis.call('DEL', ARGV[5] .. revoked[i])
end
return revoked
