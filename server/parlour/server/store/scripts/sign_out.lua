-- Revoke tokens of a player. A guest without a token is deleted.
--
-- KEYS  1 player
-- ARGV  1 digest of the token to revoke, or '' for all
-- Returns {digests of the revoked tokens, name as compared of a guest that was deleted or ''}.
local revoked, remaining = {}, 0
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest and (ARGV[1] == '' or ARGV[1] == digest) then
    revoked[#revoked + 1] = digest
    redis.call('HDEL', KEYS[1], field)
  elseif digest then
    remaining = remaining + 1
  end
end
local known = redis.call('HMGET', KEYS[1], 'kind', 'folded')
if remaining > 0 or known[1] ~= 'guest' then return {revoked, ''} end
redis.call('DEL', KEYS[1])
return {revoked, known[2]}
