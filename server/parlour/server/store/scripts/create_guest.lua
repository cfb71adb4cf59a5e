-- Store a guest.
--
-- KEYS  1 player
-- ARGV  1 name as shown; 2 name as compared; 3 digest of the token; 4 TTL of an unused guest in milliseconds
-- Returns the time of creation.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'kind', 'guest', 'name', ARGV[1], 'folded', ARGV[2], 'created', now,
  'token:' .. ARGV[3], now .. ' ' .. now)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return now
