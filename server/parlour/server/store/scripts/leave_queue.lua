-- Remove a ticket from a queue, unless it has been paired.
--
-- KEYS  1 queue; 2 tickets; 3 pairs by ticket
-- ARGV  1 player; 2 id of the ticket
-- Returns nil if the ticket is not in the queue any more, else the pair {first ticket, second ticket}.
local known = redis.call('HGET', KEYS[3], ARGV[2])
if known then return cmsgpack.unpack(known) end
local ticket = redis.call('HGET', KEYS[2], ARGV[1])
if ticket and cmsgpack.unpack(ticket)[1] == ARGV[2] then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
end
return false
