-- Close a seek or an invitation, unless it has been accepted.
--
-- KEYS  1 seek; 2 list of seeks; 3 version of the list; 4 data of the listed seeks; 5 their owners
-- ARGV  1 id; 2 'withdrawn', or 'suspended' if it may be opened again; 3 TTL of the outcome in milliseconds; 4 channel;
--       5 start of the message
-- Returns 1 if it was open; {taker, payload} if it was accepted; 0 if it was closed or is unknown.
local state = redis.call('HMGET', KEYS[1], 'data', 'taker', 'payload', 'closed')
if state[2] then return {state[2], state[3]} end
if not state[1] or state[4] then return 0 end
redis.call('HSET', KEYS[1], 'closed', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then
  redis.call('HDEL', KEYS[4], ARGV[1])
  redis.call('HDEL', KEYS[5], ARGV[1])
  redis.call('SPUBLISH', ARGV[4], ARGV[5] .. redis.call('INCR', KEYS[3]) .. ' - ' .. ARGV[1] .. '\n')
end
return 1
