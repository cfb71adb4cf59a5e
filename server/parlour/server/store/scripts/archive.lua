-- Remove the log of a finished game that is in the archive, and keep its record for a while.
--
-- KEYS  1 log; 2 snapshot; 3 record; 4 nodes of the players
-- ARGV  1 number of the last entry that the record contains; 2 record; 3 TTL of the record in milliseconds
-- Returns 1 if the log is gone, 0 if it has more entries than the record.
local length = redis.call('XLEN', KEYS[1])
if length == 0 then return 1 end
if length ~= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[3])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[4])
return 1
