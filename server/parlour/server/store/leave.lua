-- Takes a ticket out of a pool.
--
-- KEYS  1 waiting; 2 tickets
-- ARGV  1 player; 2 ticket's id
-- gives 1 when it was waiting, else 0
local ticket = redis.call('HGET', KEYS[2], ARGV[1])
if not ticket or cmsgpack.unpack(ticket)[1] ~= ARGV[2] then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
