-- Read Parlour's time: the store's clock and a correction, which continues the time when that clock jumps.
--
-- KEYS  1 correction; 2 time of the last beat
-- ARGV  1 the correction that the caller has read; 2 the one to store instead; none to read only
-- Returns the store's seconds and microseconds, the correction and the time of the last beat, both in milliseconds.
--
-- Of several callers that have noticed the same jump, only the first one changes the correction.
local correction = redis.call('GET', KEYS[1]) or '0'
if ARGV[1] == correction then
  correction = ARGV[2]
  redis.call('SET', KEYS[1], correction)
end
local time = redis.call('TIME')
return {time[1], time[2], correction, redis.call('GET', KEYS[2]) or '0'}
