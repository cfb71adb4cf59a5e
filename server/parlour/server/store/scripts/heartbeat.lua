-- Record that a node is alive, and the outage before it if there was one; or only read.
--
-- KEYS  1 time of the last beat; 2 outages; 3 correction of the clock (see clock.lua)
-- ARGV  1 milliseconds without a beat that count as an outage; 2 end of the newest outage that the caller knows;
--       3 maximum number of outages; 4 whether the caller serves players: 1 or 0; 5 the time that the caller expects
--       it to be, 0 for any; 6 by how many milliseconds it may be wrong
-- Returns the time, the time of the last beat, and the outages that the caller does not know, oldest first, each as
-- 'since-until'; only the time if the caller did not expect it, and then nothing is recorded.
local time = redis.call('TIME')
local correction = redis.call('GET', KEYS[3]) or 0
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + correction)
if ARGV[5] ~= '0' and math.abs(now - ARGV[5]) > tonumber(ARGV[6]) then return {now} end
local last = redis.call('GET', KEYS[1])
if ARGV[4] == '1' then
  if last and now - last > tonumber(ARGV[1]) then
    redis.call('ZADD', KEYS[2], now, last .. '-' .. now)
    redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -ARGV[3] - 1)
  end
  redis.call('SET', KEYS[1], now)
  last = now
end
local outages = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[2], '+inf')
table.insert(outages, 1, now)
table.insert(outages, 2, last or '0')
return outages
