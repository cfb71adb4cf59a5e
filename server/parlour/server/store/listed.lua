-- All seeks that are on the list.
--
-- KEYS  1 list of seeks; 2 number of its changes
-- ARGV  1 prefix of seeks
-- gives {number of changes so far, id, data, id, data, …}
--
-- The keys of the seeks are made here. They have the same hash tag, so a cluster has them in the same place.
local found = {redis.call('GET', KEYS[2]) or '0'}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local data = redis.call('HGET', ARGV[1] .. id, 'data')
  if data then
    found[#found + 1] = id
    found[#found + 1] = data
  end
end
return found
