-- Store a bot with a new token. If it exists already, replace its tokens.
--
-- KEYS  1 player
-- ARGV  1 id of the owner; 2 name as shown; 3 name as compared; 4 digest of the token
-- Returns {name, digests of the revoked tokens}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'kind', 'bot', 'name', ARGV[2], 'folded', ARGV[3], 'owner', ARGV[1], 'created', now)
end
local revoked = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest and digest ~= ARGV[4] then
    revoked[#revoked + 1] = digest
    redis.call('HDEL', KEYS[1], field)
  end
end
redis.call('HSET', KEYS[1], 'token:' .. ARGV[4], now .. ' ' .. now)
return {redis.call('HGET', KEYS[1], 'name'), revoked}
