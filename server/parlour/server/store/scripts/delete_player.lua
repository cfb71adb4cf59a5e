-- Replace a player with a marker that it was deleted.
--
-- KEYS  1 player
-- ARGV  1 name to show; 2 TTL of the marker in milliseconds
-- Returns {former name as compared or '', digests of the tokens}.
local folded, digests = redis.call('HGET', KEYS[1], 'folded') or '', {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest then digests[#digests + 1] = digest end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'kind', 'deleted', 'name', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {folded, digests}
