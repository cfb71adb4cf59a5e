-- Read the list of seeks.
--
-- KEYS  1 list of seeks; 2 version of the list
-- ARGV  1 prefix of seeks
-- Returns {version, id, data, id, data, …}.
--
-- The keys of seeks are built here. They have the same hash tag, hence the same cluster slot.
local found = {redis.call('GET', KEYS[2]) or '0'}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local data = redis.call('HGET', ARGV[1] .. id, 'data')
  if data then
    found[#found + 1] = id
    found[#found + 1] = data
  end
end
return found
