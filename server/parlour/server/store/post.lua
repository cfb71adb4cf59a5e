-- Opens a seek, or an invitation that is on no list.
--
-- KEYS  1 seek; 2 list of seeks; 3 number of its changes
-- ARGV  1 id; 2 data; 3 milliseconds it lasts; 4 how many the list may have, 0 for an invitation;
--       5 channel; 6 head of the message
-- gives 1 when it is open, also when it was before; 0 when it was withdrawn; -1 when the list is full;
--       {taker, note} when it was taken
local state = redis.call('HMGET', KEYS[1], 'taker', 'note', 'gone')
if state[1] then return {state[1], state[2]} end
if state[3] == 'withdrawn' then return 0 end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most = tonumber(ARGV[4])
local is_new = most > 0 and not redis.call('ZSCORE', KEYS[2], ARGV[1])
if is_new and redis.call('ZCARD', KEYS[2]) >= most then return -1 end
redis.call('HDEL', KEYS[1], 'gone')
redis.call('HSET', KEYS[1], 'data', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if most > 0 then redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1]) end
if is_new then
  redis.call('PUBLISH', ARGV[5], ARGV[6] .. redis.call('INCR', KEYS[3]) .. ' + ' .. ARGV[1] .. '\n' .. ARGV[2])
end
return 1
