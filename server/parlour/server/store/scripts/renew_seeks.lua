-- Renew the seeks of a node, and remove expired seeks of all nodes from the list.
--
-- KEYS  1 list of seeks; 2 version of the list; 3 data of the listed seeks; 4 their owners; 5… seeks
-- ARGV  1 TTL in milliseconds; 2 channel; 3 start of the message; 4… ids
-- Returns for each id 1 if it was renewed; {taker, payload} if it was accepted; 0 if it is closed or unknown.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local found = {}
for i = 4, #ARGV do
  local state = redis.call('HMGET', KEYS[i + 1], 'data', 'taker', 'payload', 'closed')
  if state[2] then
    found[i - 3] = {state[2], state[3]}
  elseif state[1] and not state[4] then
    redis.call('PEXPIRE', KEYS[i + 1], ARGV[1])
    redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i])
    redis.call('HSET', KEYS[3], ARGV[i], state[1])
    found[i - 3] = 1
  else
    found[i - 3] = 0
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[3], id)
  redis.call('HDEL', KEYS[4], id)
  redis.call('SPUBLISH', ARGV[2], ARGV[3] .. redis.call('INCR', KEYS[2]) .. ' - ' .. id .. '\n')
end
return found
