-- Give an account a password for one sign-in, and revoke all its tokens.
--
-- KEYS  1 player
-- ARGV  1 hash of the password
-- Returns the digests of the revoked tokens, or nil if the player has no password.
if redis.call('HEXISTS', KEYS[1], 'password') == 0 then return false end
redis.call('HSET', KEYS[1], 'password', ARGV[1], 'password_once', 'new')
local revoked = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest then
    revoked[#revoked + 1] = digest
    redis.call('HDEL', KEYS[1], field)
  end
end
return revoked
