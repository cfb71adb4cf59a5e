-- Adds entries to the log of a room if the log ends just before the first of them, and tells the followers.
--
-- KEYS  1 log; 2 record, when the first entry has the number 1: a room that was put away is not begun again
-- ARGV  1 number of the first entry; 2 milliseconds the log is kept; 3 channel; 4 head of the message; 5… entries
-- gives 1 when all entries are in the log, 0 when none is
--
-- Nothing but this writes to a log, and nothing is ever taken out of one, so its length is the number of its last entry.
local first = tonumber(ARGV[1])
if redis.call('XLEN', KEYS[1]) ~= first - 1 then return 0 end
if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
for i = 5, #ARGV do
  redis.call('XADD', KEYS[1], (first + i - 5) .. '-0', 'e', ARGV[i])
end
-- Not at every entry: the new time would double what has to be written to disk.
if redis.call('PTTL', KEYS[1]) < ARGV[2] * 0.9 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
redis.call('PUBLISH', ARGV[3], table.concat(ARGV, '', 4))
return 1
