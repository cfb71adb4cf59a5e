-- Renew the seeks of a node, and remove expired seeks of all nodes from the list.
--
-- KEYS  1 list of seeks; 2 version of the list
-- ARGV  1 prefix of seeks; 2 TTL in milliseconds; 3 channel; 4 start of the message; 5… ids
-- Returns for each id 1 if it was renewed; {taker, payload} if it was accepted; 0 if it is closed or unknown.
--
-- The keys of seeks are built here. They have the same hash tag, hence the same cluster slot.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local found = {}
for i = 5, #ARGV do
  local key = ARGV[1] .. ARGV[i]
  local state = redis.call('HMGET', key, 'data', 'taker', 'payload', 'closed')
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
  redis.call('SPUBLISH', ARGV[3], ARGV[4] .. redis.call('INCR', KEYS[2]) .. ' - ' .. id .. '\n')
end
return found
