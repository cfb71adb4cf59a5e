-- Store a snapshot of a room, unless there is a newer one.
--
-- KEYS  1 log; 2 snapshot
-- ARGV  1 number of the entry after which it was taken; 2 data
-- Returns 1 if it was stored, else 0.
local seq = tonumber(ARGV[1])
if redis.call('XLEN', KEYS[1]) < seq then return 0 end
if tonumber(redis.call('HGET', KEYS[2], 'seq') or '0') >= seq then return 0 end
redis.call('HSET', KEYS[2], 'seq', ARGV[1], 'data', ARGV[2])
-- It must not outlive the log. It may expire earlier, because the log alone is enough.
redis.call('PEXPIRE', KEYS[2], redis.call('PTTL', KEYS[1]))
return 1
