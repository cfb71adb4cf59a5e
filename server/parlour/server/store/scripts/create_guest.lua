-- Create a guest, unless the name is taken.
--
-- KEYS  1 name; 2 player; 3 token
-- ARGV  1 id; 2 name as shown; 3 name as compared; 4 digest of the token; 5 TTL of an unused guest in milliseconds
-- Returns the time of creation, also when the script is repeated; 0 if the name is taken.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[5])
redis.call('HSET', KEYS[2], 'kind', 'guest', 'name', ARGV[2], 'folded', ARGV[3], 'created', now,
  'token:' .. ARGV[4], now .. ' ' .. now)
redis.call('PEXPIRE', KEYS[2], ARGV[5])
redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[5])
return now
