-- Pairs a player with the one who waits longest in a pool, or lets the player wait.
--
-- KEYS  1 waiting; 2 tickets; 3 what this ticket was paired with
-- ARGV  1 player; 2 ticket's id; 3 ticket; 4 milliseconds a ticket waits without being asked for again;
--       5 prefix of what tickets were paired with; 6 milliseconds that is remembered
-- gives nothing to a player who waits, else the two tickets {who came first, who came second}
--
-- The same may be asked again: a waiting ticket keeps its place and lives on, a paired one gets the same answer.
local known = redis.call('GET', KEYS[3])
if known then return cmsgpack.unpack(known) end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local mine = cmsgpack.pack({ARGV[2], ARGV[3], now + ARGV[4]})

-- At most one of the players is the asker, and those whose time is over are taken out: this ends.
local from = 0
while true do
  local player = redis.call('ZRANGE', KEYS[1], from, from)[1]
  if not player then break end
  if player == ARGV[1] then
    from = from + 1
  else
    local other = cmsgpack.unpack(redis.call('HGET', KEYS[2], player))
    redis.call('ZREM', KEYS[1], player)
    redis.call('HDEL', KEYS[2], player)
    if other[3] > now then
      redis.call('ZREM', KEYS[1], ARGV[1])
      redis.call('HDEL', KEYS[2], ARGV[1])
      local pair = {other[2], ARGV[3]}
      redis.call('SET', KEYS[3], cmsgpack.pack(pair), 'PX', ARGV[6])
      redis.call('SET', ARGV[5] .. other[1], cmsgpack.pack(pair), 'PX', ARGV[6])
      return pair
    end
  end
end

-- Not by the time: two may come within one millisecond.
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2] or '0'
redis.call('ZADD', KEYS[1], 'NX', last + 1, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], mine)
return false
