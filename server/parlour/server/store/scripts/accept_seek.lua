-- Accept a seek or an invitation. Of all players who try, one succeeds, and succeeds again when the script is repeated.
--
-- KEYS  1 seek; 2 list of seeks; 3 version of the list; 4 data of the listed seeks; 5 their owners
-- ARGV  1 id; 2 player; 3 payload; 4 TTL of the outcome in milliseconds; 5 channel; 6 start of the message
-- Returns {data, payload} to the player who accepted it; 0 if another player did, or it was closed; nil if unknown.
local state = redis.call('HMGET', KEYS[1], 'data', 'taker', 'payload', 'closed')
if state[4] then return 0 end
if not state[1] then return false end
if state[2] then
  if state[2] == ARGV[2] then return {state[1], state[3]} end
  return 0
end
redis.call('HSET', KEYS[1], 'taker', ARGV[2], 'payload', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then
  redis.call('HDEL', KEYS[4], ARGV[1])
  redis.call('HDEL', KEYS[5], ARGV[1])
  redis.call('SPUBLISH', ARGV[5], ARGV[6] .. redis.call('INCR', KEYS[3]) .. ' - ' .. ARGV[1] .. '\n')
end
return {state[1], ARGV[3]}
