-- Adds entries to the log of a room if the log ends just before the first of them, and tells the followers.
--
-- KEYS  1 log; 2 record, when the first entry has the number 1: a room that was put away is not begun again
-- ARGV  1 number of the first entry; 2 head of the message; 3… entries
-- gives 1 when all entries are in the log, 0 when none is
--
-- Nothing but this writes to a log, and nothing is ever taken out of one, so its length is the number of its last entry.
local DAY = 24 * 3600 * 1000

local first = tonumber(ARGV[1])
if redis.call('XLEN', KEYS[1]) ~= first - 1 then return 0 end
if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
for i = 3, #ARGV do
  redis.call('XADD', KEYS[1], (first + i - 3) .. '-0', 'e', ARGV[i])
end
-- An abandoned room goes after 90 days. Not counted anew at every entry: that would double what is written to disk.
if redis.call('PTTL', KEYS[1]) < 80 * DAY then redis.call('PEXPIRE', KEYS[1], 90 * DAY) end
redis.call('PUBLISH', KEYS[1], table.concat(ARGV, '', 2))
return 1
