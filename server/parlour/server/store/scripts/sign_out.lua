-- Revoke tokens of a player. A guest without a token is deleted, which frees the name.
--
-- KEYS  1 player
-- ARGV  1 digest of the token to revoke, or '' for all; 2 prefix of tokens; 3 prefix of names
-- Returns the digests of the revoked tokens.
local revoked, remaining = {}, 0
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest and (ARGV[1] == '' or ARGV[1] == digest) then
    revoked[#revoked + 1] = digest
    redis.call('HDEL', KEYS[1], field)
    redis.call('DEL', ARGV[2] .. digest)
  elseif digest then
    remaining = remaining + 1
  end
end
if remaining == 0 and redis.call('HGET', KEYS[1], 'kind') == 'guest' then
  redis.call('DEL', ARGV[3] .. redis.call('HGET', KEYS[1], 'folded'))
  redis.call('DEL', KEYS[1])
end
return revoked
