-- Store one more token of an account or a bot, limited to some scopes. If there are too many, revoke the least recently
-- used ones that are limited too.
--
-- KEYS  1 player
-- ARGV  1 digest of the token; 2 maximum number of limited tokens; 3 scopes, joined by commas
-- Returns the digests of the revoked tokens, or nil if the player is neither an account nor a bot.
local kind = redis.call('HGET', KEYS[1], 'kind')
if kind ~= 'account' and kind ~= 'bot' then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'token:' .. ARGV[1], now .. ' ' .. now .. ' ' .. ARGV[3])

local others = {}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local digest = string.match(fields[i], '^token:(.*)')
  local used = string.match(fields[i + 1], '^%d+ (%d+) ')
  if digest and used and digest ~= ARGV[1] then others[#others + 1] = {digest, tonumber(used)} end
end
table.sort(others, function(a, b) return a[2] < b[2] end)
local revoked = {}
for i = 1, #others + 1 - ARGV[2] do
  revoked[i] = others[i][1]
  redis.call('HDEL', KEYS[1], 'token:' .. revoked[i])
end
return revoked
