-- Takes a seek or an invitation. Of all who try, one succeeds, and succeeds again.
--
-- KEYS  1 seek; 2 list of seeks; 3 number of its changes
-- ARGV  1 id; 2 taker; 3 note of the taker; 4 milliseconds that is remembered; 5 channel; 6 head of the message
-- gives {data, note} to the taker; 0 when somebody else has it, or it was withdrawn; nothing when it is not known
local state = redis.call('HMGET', KEYS[1], 'data', 'taker', 'note', 'gone')
if state[4] then return 0 end
if not state[1] then return false end
if state[2] then
  if state[2] == ARGV[2] then return {state[1], state[3]} end
  return 0
end
redis.call('HSET', KEYS[1], 'taker', ARGV[2], 'note', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then
  redis.call('PUBLISH', ARGV[5], ARGV[6] .. redis.call('INCR', KEYS[3]) .. ' - ' .. ARGV[1] .. '\n')
end
return {state[1], ARGV[3]}
