-- Changes the password of an account, and ends all its tokens but one.
--
-- KEYS  1 player
-- ARGV  1 hash of the password until now; 2 hash of the new one; 3 digest of the token that stays; 4 prefix of tokens
-- gives the digests of the tokens that have ended, or nothing when the password is another one by now
if redis.call('HGET', KEYS[1], 'password') ~= ARGV[1] then return false end
redis.call('HSET', KEYS[1], 'password', ARGV[2])
local ended = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest and digest ~= ARGV[3] then
    ended[#ended + 1] = digest
    redis.call('HDEL', KEYS[1], field)
    redis.call('DEL', ARGV[4] .. digest)
  end
end
return ended
