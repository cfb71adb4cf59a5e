-- What a node has to say about live games, and what all nodes say together. The best games are kept, no others.
--
-- KEYS  1 rank; 2 until; 3 seq; 4 games; 5 nodes; 6 nodes until
-- ARGV  1 now; 2 milliseconds a game lasts; 3 how many are kept; 4 node; 5 what it says about itself;
--       6 milliseconds that lasts; 7 how many games are over; then their names; then for each game that is on:
--       room, rank, seq, description or '' when it has not changed
-- gives {what the nodes say, {room, seq, room, seq, …} from the best on, rank of the last one kept or '-inf'}
local now, most = tonumber(ARGV[1]), tonumber(ARGV[3])

redis.call('HSET', KEYS[5], ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[6], now + ARGV[6], ARGV[4])
for _, node in ipairs(redis.call('ZRANGEBYSCORE', KEYS[6], '-inf', now)) do
  redis.call('HDEL', KEYS[5], node)
  redis.call('ZREM', KEYS[6], node)
end

local function forget(room)
  redis.call('ZREM', KEYS[1], room)
  redis.call('ZREM', KEYS[2], room)
  redis.call('HDEL', KEYS[3], room)
  redis.call('HDEL', KEYS[4], room)
end

local first = 8 + ARGV[7]
for i = 8, first - 1 do forget(ARGV[i]) end
for i = first, #ARGV, 4 do
  local room, seq = ARGV[i], tonumber(ARGV[i + 2])
  local known = tonumber(redis.call('HGET', KEYS[3], room) or '-1')
  if ARGV[i + 3] ~= '' and seq > known then
    redis.call('HSET', KEYS[3], room, seq)
    redis.call('HSET', KEYS[4], room, ARGV[i + 3])
    known = seq
  end
  -- Without a description there is nothing to show; the node sees that the game is not listed and sends one.
  if known >= 0 then
    redis.call('ZADD', KEYS[1], ARGV[i + 1], room)
    redis.call('ZADD', KEYS[2], now + ARGV[2], room)
  end
end
for _, room in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do forget(room) end
for _, room in ipairs(redis.call('ZRANGE', KEYS[1], 0, -most - 1)) do forget(room) end

local listed, bar = {}, '-inf'
for _, room in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do
  listed[#listed + 1] = room
  listed[#listed + 1] = tonumber(redis.call('HGET', KEYS[3], room))
end
if #listed == 2 * most then bar = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] end
return {redis.call('HVALS', KEYS[5]), listed, bar}
