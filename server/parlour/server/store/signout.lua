-- Ends tokens of a player. A guest without a token is gone, and the name is free.
--
-- KEYS  1 player
-- ARGV  1 digest of the one token to end, or '' for all of them; 2 prefix of tokens; 3 prefix of names
-- gives the digests of the tokens that have ended
local ended, left = {}, 0
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest and (ARGV[1] == '' or ARGV[1] == digest) then
    ended[#ended + 1] = digest
    redis.call('HDEL', KEYS[1], field)
    redis.call('DEL', ARGV[2] .. digest)
  elseif digest then
    left = left + 1
  end
end
if left == 0 and redis.call('HGET', KEYS[1], 'kind') == 'guest' then
  redis.call('DEL', ARGV[3] .. redis.call('HGET', KEYS[1], 'folded'))
  redis.call('DEL', KEYS[1])
end
return ended
