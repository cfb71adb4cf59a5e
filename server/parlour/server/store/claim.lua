-- Hands out rooms in which something may be due, each to one asker at a time.
--
-- KEYS  1 due; 2 claimed
-- ARGV  1 now; 2 how many at most; 3 until when the asker has them
-- gives the rooms
--
-- A room moves from one set to the other, so a deadline set meanwhile is kept beside the claim and not lost in it.
-- Rooms whose asker did not come back are handed out again.
local most = tonumber(ARGV[2])
local rooms = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, most)
for _, room in ipairs(rooms) do redis.call('ZREM', KEYS[1], room) end
if #rooms < most then
  local known = {}
  for _, room in ipairs(rooms) do known[room] = true end
  for _, room in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, most - #rooms)) do
    if not known[room] then rooms[#rooms + 1] = room end
  end
end
for _, room in ipairs(rooms) do redis.call('ZADD', KEYS[2], ARGV[3], room) end
return rooms
