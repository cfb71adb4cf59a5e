-- Keeps the seeks of a node on the list, and takes those off it that nobody keeps any more.
--
-- KEYS  1 list of seeks; 2 number of its changes
-- ARGV  1 prefix of seeks; 2 milliseconds they last; 3 channel; 4 head of the message; 5… ids
-- gives for each id 1 when it is kept; {taker, note} when it was taken; 0 when it is gone
--
-- The keys of the seeks are made here. They have the same hash tag, so a cluster has them in the same place.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local found = {}
for i = 5, #ARGV do
  local key = ARGV[1] .. ARGV[i]
  local state = redis.call('HMGET', key, 'data', 'taker', 'note', 'gone')
  if state[2] then
    found[i - 4] = {state[2], state[3]}
  elseif state[1] and not state[4] then
    redis.call('PEXPIRE', key, ARGV[2])
    redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[i])
    found[i - 4] = 1
  else
    found[i - 4] = 0
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('DEL', ARGV[1] .. id)
  redis.call('PUBLISH', ARGV[3], ARGV[4] .. redis.call('INCR', KEYS[2]) .. ' - ' .. id .. '\n')
end
return found
