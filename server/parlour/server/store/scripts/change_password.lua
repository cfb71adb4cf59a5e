-- Change the password of an account and revoke all its tokens but one.
--
-- KEYS  1 player
-- ARGV  1 hash of the old password; 2 hash of the new password; 3 digest of the token to keep
-- Returns the digests of the revoked tokens, or nil if the password is no longer the old one.
if redis.call('HGET', KEYS[1], 'password') ~= ARGV[1] then return false end
redis.call('HSET', KEYS[1], 'password', ARGV[2])
redis.call('HDEL', KEYS[1], 'password_once')
local revoked = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest and digest ~= ARGV[3] then
    revoked[#revoked + 1] = digest
    redis.call('HDEL', KEYS[1], field)
  end
end
return revoked
