-- Puts a finished game away: its record takes the place of log and snapshot.
--
-- KEYS  1 log; 2 snapshot; 3 record
-- ARGV  1 number of the last entry that is in the record; 2 record
-- gives 1 when there is a record now, 0 when the log has gone on, or there is none
if redis.call('EXISTS', KEYS[3]) == 1 then return 1 end
local length = redis.call('XLEN', KEYS[1])
if length == 0 or length ~= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[3], ARGV[2])
redis.call('DEL', KEYS[1], KEYS[2])
return 1
