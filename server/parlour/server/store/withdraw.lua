-- Takes a seek or an invitation back, if it is not too late for that.
--
-- KEYS  1 seek; 2 list of seeks; 3 number of its changes
-- ARGV  1 id; 2 'withdrawn', or 'dropped' if it may be opened again; 3 milliseconds that is remembered;
--       4 channel; 5 head of the message
-- gives 1 when it was open; {taker, note} when it was taken; 0 when there is none
local state = redis.call('HMGET', KEYS[1], 'data', 'taker', 'note', 'gone')
if state[2] then return {state[2], state[3]} end
if not state[1] or state[4] then return 0 end
redis.call('HSET', KEYS[1], 'gone', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then
  redis.call('PUBLISH', ARGV[4], ARGV[5] .. redis.call('INCR', KEYS[3]) .. ' - ' .. ARGV[1] .. '\n')
end
return 1
