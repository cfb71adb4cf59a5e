-- Takes a ticket out of a pool, if it is not too late for that.
--
-- KEYS  1 waiting; 2 tickets; 3 what this ticket was paired with
-- ARGV  1 player; 2 ticket's id
-- gives nothing when the ticket does not wait any more, else the two tickets {who came first, who came second}
local known = redis.call('GET', KEYS[3])
if known then return cmsgpack.unpack(known) end
local ticket = redis.call('HGET', KEYS[2], ARGV[1])
if ticket and cmsgpack.unpack(ticket)[1] == ARGV[2] then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
end
return false
