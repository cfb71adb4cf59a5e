-- Add a job to the fair queue, unless it waits or is being done.
--
-- KEYS  1 waiting jobs by their turn; 2 their data; 3 data of jobs that are being done; 4 shares of the owners; 5 signals
-- ARGV  1 id; 2 data; 3 now; 4 cost in milliseconds; 5 maximum number of waiting jobs; 6… owners
-- Returns 1 if it was added, else 0.
if redis.call('HGET', KEYS[3], ARGV[1]) == ARGV[2] then return 0 end
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  return 0
end
-- An owner's share is the time up to which it is used. Times in the past count as none.
local turn = tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', turn)
for i = 6, #ARGV do
  turn = math.max(turn, tonumber(redis.call('ZSCORE', KEYS[4], ARGV[i]) or '0'))
end
for i = 6, #ARGV do redis.call('ZADD', KEYS[4], turn + ARGV[4], ARGV[i]) end
redis.call('ZADD', KEYS[1], turn, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
local max_length = tonumber(ARGV[5])
if redis.call('ZCARD', KEYS[1]) > max_length then
  redis.call('HDEL', KEYS[2], redis.call('ZPOPMAX', KEYS[1])[1])
end
redis.call('RPUSH', KEYS[5], '1')
redis.call('LTRIM', KEYS[5], -max_length, -1)
return 1
