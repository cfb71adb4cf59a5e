-- Store the ratings of two players after a game, once, if neither rating has changed since the caller read it.
--
-- KEYS  1 marker of the room; 2 leaderboard; 3 leaderboard by expiry; 4 ratings and 5 history of the first player;
--       6 and 7 of the second
-- ARGV  1 game; 2 time at which it ended; 3 TTL of the marker in milliseconds; 4 target length of a history;
--       5…10 first player: id; rating before, or ''; rating after; the same as shown;
--            time up to which it is on the leaderboard, or 0; TTL of the ratings in milliseconds, or 0 for none
--       11…16 second player
-- Returns 1 if the game was counted now, 0 if it had been before, -1 if a rating has changed.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for player = 0, 1 do
  local now = redis.call('HGET', KEYS[4 + 2 * player], ARGV[1]) or ''
  if now ~= ARGV[6 + 6 * player] then return -1 end
end

local function set_ttl(key, ttl)
  if ttl == '0' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, ttl) end
end

-- A new point replaces the last one if it comes soon after the point before that, relative to the whole history.
local function add_point(key, shown)
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
  local id, _, packed, shown, listed_until, ttl = unpack(ARGV, 5 + 6 * player, 10 + 6 * player)
  redis.call('HSET', ratings, ARGV[1], packed)
  add_point(history, shown)
  set_ttl(ratings, ttl)
  set_ttl(history, ttl)
  if listed_until == '0' then
    redis.call('ZREM', KEYS[2], id)
    redis.call('ZREM', KEYS[3], id)
  else
    redis.call('ZADD', KEYS[2], shown, id)
    redis.call('ZADD', KEYS[3], listed_until, id)
  end
end
return 1
