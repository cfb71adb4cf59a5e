-- Claim rooms in which something may be due, each for one caller at a time.
--
-- KEYS  1 due; 2 claimed
-- ARGV  1 now; 2 maximum number of rooms; 3 time at which the claim expires
-- Returns the rooms.
--
-- A claimed room moves to the other set, so a deadline set in the meantime is stored beside the claim, not lost in it.
-- Rooms whose claim has expired are claimed again.
local limit = tonumber(ARGV[2])
local rooms = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, limit)
for _, room in ipairs(rooms) do redis.call('ZREM', KEYS[1], room) end
if #rooms < limit then
  local known = {}
  for _, room in ipairs(rooms) do known[room] = true end
  for _, room in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, limit - #rooms)) do
    if not known[room] then rooms[#rooms + 1] = room end
  end
end
for _, room in ipairs(rooms) do redis.call('ZADD', KEYS[2], ARGV[3], room) end
return rooms
