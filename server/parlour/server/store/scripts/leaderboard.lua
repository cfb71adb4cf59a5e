-- Read a page of a leaderboard, or the rank of one player, after removing players whose time on it has expired.
--
-- KEYS  1 leaderboard; 2 leaderboard by expiry; 3 numbers of rated games
-- ARGV  1 now; 2 index of the first player, or -1; 3 number of players, or the one player
-- Returns the players, best first; for one player the rank from 0, or nil.
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
  redis.call('HDEL', KEYS[3], id)
end
local first = tonumber(ARGV[2])
if first < 0 then return redis.call('ZREVRANK', KEYS[1], ARGV[3]) end
return redis.call('ZREVRANGE', KEYS[1], first, first + ARGV[3] - 1)
