-- Store a report, and drop those that are too old or too many.
--
-- KEYS  1 reports; 2 their times; 3 authors of the open ones
-- ARGV  1 id; 2 author; 3 report; 4 now; 5 TTL in milliseconds; 6 maximum number of reports; 7 of open ones by an author
-- Returns 1, or 0 if the author has too many open reports.
local function drop(ids)
  for _, id in ipairs(ids) do
    redis.call('ZREM', KEYS[2], id)
    redis.call('HDEL', KEYS[1], id)
    redis.call('HDEL', KEYS[3], id)
  end
end

drop(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[4] - ARGV[5]))
if redis.call('HEXISTS', KEYS[3], ARGV[1]) == 0 then
  local open = 0
  for _, author in ipairs(redis.call('HVALS', KEYS[3])) do
    if author == ARGV[2] then open = open + 1 end
  end
  if open >= tonumber(ARGV[7]) then return 0 end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
drop(redis.call('ZRANGE', KEYS[2], 0, -1 - ARGV[6]))
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[5]) end
return 1
