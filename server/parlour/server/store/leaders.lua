-- A page of a leaderboard, or the place of one player, after those whose rating is not sure any more are taken off.
--
-- KEYS  1 leaders; 2 until when they are
-- ARGV  1 now; 2 number of the first, or -1; 3 how many, or the player
-- gives the players, best first, or the number of the one asked for, or nothing
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
end
local first = tonumber(ARGV[2])
if first < 0 then return redis.call('ZREVRANK', KEYS[1], ARGV[3]) end
return redis.call('ZREVRANGE', KEYS[1], first, first + ARGV[3] - 1)
