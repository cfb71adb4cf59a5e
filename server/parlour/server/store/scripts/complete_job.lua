-- Remove a job that is done, unless its id has been taken for another one since.
--
-- KEYS  1 jobs that are being done by the time they are abandoned; 2 their data
-- ARGV  1 id; 2 data
if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
end
