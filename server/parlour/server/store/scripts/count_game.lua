-- Store the rating of a player after a game, once, if it has not changed since the caller read it.
--
-- KEYS  1 ratings; 2 history
-- ARGV  1 game; 2 field that says that this game was counted; 3 rating before, or ''; 4 rating after; 5 the same as shown;
--       6 time at which the game ended; 7 target length of a history; 8 TTL in milliseconds, 0 for none
-- Returns the rating after the game, as shown; 0 if the rating has changed.
local counted = redis.call('HGET', KEYS[1], ARGV[2])
if counted then return counted end
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4], ARGV[2], ARGV[5])

-- A new point replaces the last one if it comes soon after the point before that, relative to the whole history.
local first, last = redis.call('LINDEX', KEYS[2], 0), redis.call('LINDEX', KEYS[2], -2)
if last then
  local began, before = tonumber(first:match('^%d+')), tonumber(last:match('^%d+'))
  if (ARGV[6] - before) * ARGV[7] < ARGV[6] - began then redis.call('RPOP', KEYS[2]) end
end
redis.call('RPUSH', KEYS[2], ARGV[6] .. ' ' .. ARGV[5])
for _, key in ipairs(KEYS) do
  if ARGV[8] == '0' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, ARGV[8]) end
end
return ARGV[5]
