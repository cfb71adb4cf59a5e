-- Use up a recovery code: set a new password, revoke all tokens and add one.
--
-- KEYS  1 player
-- ARGV  1 digest of the code; 2 hash of the new password; 3 digest of the new token
-- Returns the digests of the revoked tokens, or nil if the account has no such code.
if redis.call('HDEL', KEYS[1], 'recovery:' .. ARGV[1]) == 0 then return false end
redis.call('HSET', KEYS[1], 'password', ARGV[2])
redis.call('HDEL', KEYS[1], 'password_once')
local revoked = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest then
    revoked[#revoked + 1] = digest
    redis.call('HDEL', KEYS[1], field)
  end
end
local time = redis.call('TIME')
local now = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'token:' .. ARGV[3], now .. ' ' .. now)
return revoked
