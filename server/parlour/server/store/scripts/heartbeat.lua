-- Record that a node is alive, and the outages that end or become evident now; or only read.
--
-- KEYS  1 time of the last beat of any node; 2 outages; 3 time of the last beat of each node; 4 correction of the clock
--       (see clock.lua)
-- ARGV  1 milliseconds without a beat that count as an outage; 2 end of the newest outage that the caller knows;
--       3 maximum number of outages; 4 the node, or '' if the caller serves no players; 5 the time that the caller
--       expects it to be, 0 for any; 6 by how many milliseconds it may be wrong
-- Returns the time, the time of the last beat, the beats as node and time in turn, and the outages that the caller does
-- not know, oldest first, each as 'since-until-node'; the node is empty if no node was alive. Returns only the time if
-- the caller did not expect it, and then nothing is recorded.
local time = redis.call('TIME')
local correction = redis.call('GET', KEYS[4]) or 0
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + correction)
if ARGV[5] ~= '0' and math.abs(now - ARGV[5]) > tonumber(ARGV[6]) then return {now} end
local silence, node = tonumber(ARGV[1]), ARGV[4]
local last = redis.call('GET', KEYS[1])

-- Every outage ends later than those before it, so that a caller who knows one of them knows all earlier ones.
local function record(since, of)
  local newest = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
  local ended = string.format('%.0f', math.max(now, (newest or 0) + 1))
  redis.call('ZADD', KEYS[2], ended, since .. '-' .. ended .. '-' .. of)
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -ARGV[3] - 1)
end

if node ~= '' then
  local all_were_silent = last and now - last > silence
  if all_were_silent then record(last, '') end
  redis.call('SET', KEYS[1], now)
  redis.call('HSET', KEYS[3], node, now)
  last = now
  local beats = redis.call('HGETALL', KEYS[3])
  for i = 1, #beats, 2 do
    if now - beats[i + 1] > silence then
      -- Recorded once: the node is listed again when it beats again.
      redis.call('HDEL', KEYS[3], beats[i])
      if not all_were_silent then record(beats[i + 1], beats[i]) end
    end
  end
end
return {
  now,
  last or '0',
  redis.call('HGETALL', KEYS[3]),
  redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[2], '+inf'),
}
