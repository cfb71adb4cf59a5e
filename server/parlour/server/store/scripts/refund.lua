-- Give back units of a budget that were spent a moment ago.
--
-- KEYS  1 the time up to which it is spent
-- ARGV  1 now; 2 milliseconds until one unit comes back; 3 units
local now = tonumber(ARGV[1])
local spent = tonumber(redis.call('GET', KEYS[1]) or '0') - ARGV[2] * ARGV[3]
if spent - now > 0.01 then
  redis.call('SET', KEYS[1], string.format('%.3f', spent), 'PX', math.ceil(spent - now))
else
  redis.call('DEL', KEYS[1])
end
