-- Append entries to a room's log if it ends just before the first of them, and publish them.
--
-- KEYS  1 log; 2 sign that the room was archived, if the first entry has number 1: its id is not used again
-- ARGV  1 number of the first entry; 2 start of the message, or '' to publish nothing; 3… entries; last: its end
-- Returns 1 if all entries were appended, 0 if none was.
--
-- Only this script writes to a log, and nothing is ever removed, so the log's length is the number of its last entry.
local DAY = 24 * 3600 * 1000

local first = tonumber(ARGV[1])
if redis.call('XLEN', KEYS[1]) ~= first - 1 then return 0 end
if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
for i = 3, #ARGV - 1 do
  redis.call('XADD', KEYS[1], (first + i - 3) .. '-0', 'e', ARGV[i])
end
-- An abandoned room expires after 90 days. Renewing this at every entry would double what is written to disk.
if redis.call('PTTL', KEYS[1]) < 80 * DAY then redis.call('PEXPIRE', KEYS[1], 90 * DAY) end
if ARGV[2] ~= '' then redis.call('SPUBLISH', KEYS[1], table.concat(ARGV, '', 2)) end
return 1
