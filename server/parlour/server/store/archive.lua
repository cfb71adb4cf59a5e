-- Puts a finished game away: from now on its record stands for log and snapshot.
--
-- KEYS  1 log; 2 snapshot; 3 record
-- ARGV  1 number of the last entry that is in the record; 2 record
-- gives 1 when only the record is there now, 0 when the log has gone on, or there is nothing
local length = redis.call('XLEN', KEYS[1])
if length == 0 then return redis.call('EXISTS', KEYS[3]) end
if length ~= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[3], ARGV[2])
redis.call('DEL', KEYS[1], KEYS[2])
return 1
