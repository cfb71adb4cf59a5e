-- Store the report of a node about its games, and return the list of all nodes. Only the best games are kept.
--
-- KEYS  1 rank; 2 expiry; 3 seq; 4 descriptions; 5 nodes; 6 expiry of nodes
-- ARGV  1 now; 2 TTL of a game in milliseconds; 3 maximum length of the list; 4 node; 5 the node's report on itself;
--       6 TTL of that in milliseconds; 7 number of finished games; then their rooms; then for each running game:
--       room, rank, seq, description or '' if it has not changed
-- Returns {reports of all nodes, {room, seq, room, seq, …} best first, rank of the last game if the list is full
--         or '-inf'}.
local now, max_length = tonumber(ARGV[1]), tonumber(ARGV[3])

redis.call('HSET', KEYS[5], ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[6], now + ARGV[6], ARGV[4])
for _, node in ipairs(redis.call('ZRANGEBYSCORE', KEYS[6], '-inf', now)) do
  redis.call('HDEL', KEYS[5], node)
  redis.call('ZREM', KEYS[6], node)
end

local function remove(room)
  redis.call('ZREM', KEYS[1], room)
  redis.call('ZREM', KEYS[2], room)
  redis.call('HDEL', KEYS[3], room)
  redis.call('HDEL', KEYS[4], room)
end

local first = 8 + ARGV[7]
for i = 8, first - 1 do remove(ARGV[i]) end
for i = first, #ARGV, 4 do
  local room, seq = ARGV[i], tonumber(ARGV[i + 2])
  local known = tonumber(redis.call('HGET', KEYS[3], room) or '-1')
  if ARGV[i + 3] ~= '' and seq > known then
    redis.call('HSET', KEYS[3], room, seq)
    redis.call('HSET', KEYS[4], room, ARGV[i + 3])
    known = seq
  end
  -- A game without a description is not listed; its node sees that and sends one with the next report.
  if known >= 0 then
    redis.call('ZADD', KEYS[1], ARGV[i + 1], room)
    redis.call('ZADD', KEYS[2], now + ARGV[2], room)
  end
end
for _, room in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do remove(room) end
for _, room in ipairs(redis.call('ZRANGE', KEYS[1], 0, -max_length - 1)) do remove(room) end

local listed, min_rank = {}, '-inf'
for _, room in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do
  listed[#listed + 1] = room
  listed[#listed + 1] = tonumber(redis.call('HGET', KEYS[3], room))
end
if #listed == 2 * max_length then min_rank = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] end
return {redis.call('HVALS', KEYS[5]), listed, min_rank}
