-- Take the next job: one whose worker has died, else the waiting job whose turn it is.
--
-- KEYS  1 waiting jobs by their turn; 2 their data; 3 jobs that are being done by the time they are abandoned; 4 their data
-- ARGV  1 now; 2 when this job is abandoned
-- Returns {data, number of jobs that still wait}, or nil if there is none.
local id = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, 1)[1]
local data = id and redis.call('HGET', KEYS[4], id)
if not data then
  if id then redis.call('ZREM', KEYS[3], id) end
  id = redis.call('ZPOPMIN', KEYS[1])[1]
  if not id then return false end
  data = redis.call('HGET', KEYS[2], id)
  redis.call('HDEL', KEYS[2], id)
  if not data then return false end
end
redis.call('ZADD', KEYS[3], ARGV[2], id)
redis.call('HSET', KEYS[4], id, data)
return {data, redis.call('ZCARD', KEYS[1])}
