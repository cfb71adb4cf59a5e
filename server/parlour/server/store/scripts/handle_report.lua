-- Mark a report as handled.
--
-- KEYS  1 reports; 2 authors of the open ones
-- ARGV  1 id; 2 report
-- Returns 1, or 0 if there is no such report.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
