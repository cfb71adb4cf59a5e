-- Pair players of a pool, each with the longest-waiting acceptable opponent, or let them wait.
-- `pairing.py` is the executable specification of the rule.
--
-- KEYS  1 queue; 2 tickets; 3 pairs by ticket; 4 the same tickets by the time the pair expires
-- ARGV  1 now; 2 TTL of a ticket in milliseconds; 3 TTL of a pair in milliseconds;
--       4 rating difference accepted at first; 5 growth of that difference per second of waiting;
--       6 milliseconds after which any difference is accepted; 7 milliseconds after which players of the same
--       network are paired; then for each ticket: player, id, rating, ticket,
--       ids of the players it avoids, with spaces between them; network, or ''
-- Returns for each ticket nil if it waits, else the pair {ticket that came first, ticket that came second}.
--
-- The script can be repeated: a waiting ticket keeps its place and is renewed, a paired one gets the same pair again.
local now, ttl = tonumber(ARGV[1]), tonumber(ARGV[2])
local initial, per_second, unlimited_after = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

-- A place in the queue: {ticket id, ticket, rating, waiting since, expires at, players to avoid, network}
local ID, TICKET, RATING, SINCE, EXPIRY, AVOIDS, NETWORK = 1, 2, 3, 4, 5, 6, 7

local function accepts(place, difference)
  local waited = now - place[SINCE]
  return waited >= unlimited_after or difference * 1000 <= initial * 1000 + per_second * waited
end

-- A node of an older version stores a place without the players to avoid and the network.
local function avoids(place, player)
  return string.find(' ' .. (place[AVOIDS] or '') .. ' ', ' ' .. player .. ' ', 1, true) ~= nil
end

local function are_too_close(one, other)
  local network = one[NETWORK] or ''
  local latest = math.max(one[SINCE], other[SINCE])
  return network ~= '' and network == other[NETWORK] and now - latest < tonumber(ARGV[7])
end

local function place_of(player)
  local packed = redis.call('HGET', KEYS[2], player)
  return packed and cmsgpack.unpack(packed)
end

local function remove(player)
  redis.call('ZREM', KEYS[1], player)
  redis.call('HDEL', KEYS[2], player)
end

local function pair(first, second)
  local both = {first[TICKET], second[TICKET]}
  for _, place in ipairs({first, second}) do
    redis.call('HSET', KEYS[3], place[ID], cmsgpack.pack(both))
    redis.call('ZADD', KEYS[4], now + ARGV[3], place[ID])
  end
  redis.call('PEXPIRE', KEYS[3], ARGV[3])
  redis.call('PEXPIRE', KEYS[4], ARGV[3])
  return both
end

local function join(player, id, rating, ticket, avoided, network)
  local known = redis.call('HGET', KEYS[3], id)
  if known then return cmsgpack.unpack(known) end
  local before = place_of(player)
  local mine = {id, ticket, rating, before and before[SINCE] or now, now + ttl, avoided, network}
  local came_first = false
  for _, other in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    if other == player then
      came_first = true
    else
      local theirs = place_of(other)
      local difference = math.abs(theirs[RATING] - rating)
      if theirs[EXPIRY] <= now then
        remove(other)
      elseif accepts(mine, difference) and accepts(theirs, difference)
        and not avoids(mine, other) and not avoids(theirs, player) and not are_too_close(mine, theirs) then
        remove(player)
        remove(other)
        return came_first and pair(mine, theirs) or pair(theirs, mine)
      end
    end
  end
  -- Scored by a counter, because two players may come within one millisecond.
  local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2] or '0'
  redis.call('ZADD', KEYS[1], 'NX', last + 1, player)
  redis.call('HSET', KEYS[2], player, cmsgpack.pack(mine))
  return false
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', ARGV[1])) do
  redis.call('HDEL', KEYS[3], id)
  redis.call('ZREM', KEYS[4], id)
end
local found = {}
for i = 8, #ARGV, 6 do
  found[#found + 1] = join(
    ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]), ARGV[i + 3], ARGV[i + 4], ARGV[i + 5]
  )
end
return found
