-- Writes what a game made of two ratings, once, if both are still what the caller took them for.
--
-- KEYS  1 mark of the room; 2 leaders; 3 until when they are; 4 ratings and 5 history of one player; 6 and 7 of the other
-- ARGV  1 game; 2 when it ended; 3 milliseconds the mark lasts; 4 most points of a history, if played evenly;
--       5…10 of one player: id; rating before, or nothing; rating now; the same as people see it;
--            until when it counts on the leaderboard, or 0; milliseconds until it is forgotten, or 0
--       11…16 of the other
-- gives 1 when the game counts now, 0 when it did before, -1 when a rating is another one meanwhile
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for player = 0, 1 do
  local now = redis.call('HGET', KEYS[4 + 2 * player], ARGV[1]) or ''
  if now ~= ARGV[6 + 6 * player] then return -1 end
end

local function lasts(key, time)
  if time == '0' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, time) end
end

-- A new point takes the place of the last one if both come soon after the one before: soon compared to the whole time.
local function note(key, shown)
  local at = tonumber(ARGV[2])
  local first, last = redis.call('LINDEX', key, 0), redis.call('LINDEX', key, -2)
  if last then
    local began, before = tonumber(first:match('^%d+')), tonumber(last:match('^%d+'))
    if (at - before) * ARGV[4] < at - began then redis.call('RPOP', key) end
  end
  redis.call('RPUSH', key, ARGV[2] .. ' ' .. shown)
end

redis.call('SET', KEYS[1], '1', 'PX', ARGV[3])
for player = 0, 1 do
  local ratings, history = KEYS[4 + 2 * player], KEYS[5 + 2 * player]
  local id, _, packed, shown, sure, time = unpack(ARGV, 5 + 6 * player, 10 + 6 * player)
  redis.call('HSET', ratings, ARGV[1], packed)
  note(history, shown)
  lasts(ratings, time)
  lasts(history, time)
  if sure == '0' then
    redis.call('ZREM', KEYS[2], id)
    redis.call('ZREM', KEYS[3], id)
  else
    redis.call('ZADD', KEYS[2], shown, id)
    redis.call('ZADD', KEYS[3], sure, id)
  end
end
return 1
