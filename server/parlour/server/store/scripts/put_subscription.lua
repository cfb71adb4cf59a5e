-- Store a push subscription of a player. It replaces the least recently renewed one if there are too many.
--
-- KEYS  1 player; 2 subscriptions
-- ARGV  1 digest of the endpoint; 2 time of this renewal, a space, and the subscription; 3 maximum number;
--       4 TTL of a guest's subscriptions in milliseconds; 5 TTL of those of others
-- Returns the digests of the endpoints that were removed, or nil if the player does not exist.
local kind = redis.call('HGET', KEYS[1], 'kind')
if not kind or kind == 'deleted' then return false end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], kind == 'guest' and ARGV[4] or ARGV[5])
local removed = {}
while redis.call('HLEN', KEYS[2]) > tonumber(ARGV[3]) do
  local all, oldest, renewed = redis.call('HGETALL', KEYS[2]), nil, math.huge
  for i = 1, #all, 2 do
    local at = tonumber(string.match(all[i + 1], '^(%d+) '))
    if all[i] ~= ARGV[1] and at < renewed then oldest, renewed = all[i], at end
  end
  redis.call('HDEL', KEYS[2], oldest)
  removed[#removed + 1] = oldest
end
return removed
