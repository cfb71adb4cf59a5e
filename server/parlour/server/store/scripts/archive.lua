-- Remove the log of a finished game that is in the archive.
--
-- KEYS  1 log; 2 snapshot; 3 sign that the room was archived; 4 nodes of the players
-- ARGV  1 number of the last entry that the record contains; 2 TTL of the sign in milliseconds
-- Returns 1 if the log is gone, 0 if it has more entries than the record.
--
-- A node that wants to create a room asks the archive first whether its id is free. If the game got there only just
-- after that, the sign keeps the node from creating the room.
local length = redis.call('XLEN', KEYS[1])
if length == 0 then return 1 end
if length ~= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[3], '', 'PX', ARGV[2])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[4])
return 1
