-- Put a player on a leaderboard, or remove the player from it.
--
-- KEYS  1 leaderboard; 2 leaderboard by expiry; 3 numbers of rated games
-- ARGV  1 player; 2 rating as shown; 3 time up to which it is listed, or 0; 4 number of rated games
--
-- Two nodes may report a player after two games in either order: the rating after more games stays.
if tonumber(ARGV[4]) < tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or '0') then return end
if ARGV[3] == '0' then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[3], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
  redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
end
