-- Archive a finished game: replace its log and snapshot by its record.
--
-- KEYS  1 log; 2 snapshot; 3 record
-- ARGV  1 number of the last entry that the record contains; 2 record
-- Returns 1 if only the record remains, 0 if the log has more entries or the room does not exist.
local length = redis.call('XLEN', KEYS[1])
if length == 0 then return redis.call('EXISTS', KEYS[3]) end
if length ~= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[3], ARGV[2])
redis.call('DEL', KEYS[1], KEYS[2])
return 1
