-- Read the list of seeks.
--
-- KEYS  1 list of seeks; 2 version of the list; 3 data of the listed seeks; 4 their owners
-- Returns {version, id, data, id, data, …}.
local found = {redis.call('GET', KEYS[2]) or '0'}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  found[#found + 1] = id
  found[#found + 1] = redis.call('HGET', KEYS[3], id)
end
return found
