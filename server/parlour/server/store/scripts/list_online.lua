-- List the players who are online on any node, in order.
--
-- KEYS  1 expiry of nodes
-- ARGV  1 now; 2 prefix of the players on a node; 3 where to begin, as a bound of ZRANGEBYLEX; 4 maximum number
--
-- The keys of the nodes are built here. They have the same hash tag, hence the same cluster slot.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
local found, known = {}, {}
for _, node in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  for _, player in ipairs(redis.call('ZRANGEBYLEX', ARGV[2] .. node, ARGV[3], '+', 'LIMIT', 0, ARGV[4])) do
    if not known[player] then
      known[player] = true
      found[#found + 1] = player
    end
  end
end
table.sort(found)
local listed = {}
for i = 1, math.min(#found, tonumber(ARGV[4])) do listed[i] = found[i] end
return listed
