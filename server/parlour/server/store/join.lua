-- Pairs players of a pool, each with the one who has waited longest among those that fit, or lets them wait.
-- The rule is told in pairing.py.
--
-- KEYS  1 waiting; 2 tickets
-- ARGV  1 now; 2 milliseconds a ticket waits without being asked for again; 3 milliseconds a pair is remembered;
--       4 prefix of what tickets were paired with; 5 points of difference that everybody puts up with;
--       6 points more for each second; 7 milliseconds after which anybody will do;
--       then for each who asks: player, ticket's id, rating, ticket
-- gives for each nothing to one who waits, else the two tickets {who came first, who came second}
--
-- The same may be asked again: a waiting ticket keeps its place and lives on, a paired one gets the same answer.
-- The keys of pairs are made here. They have the same hash tag, so a cluster has them in the same place.
local now, lasts = tonumber(ARGV[1]), tonumber(ARGV[2])
local near, wider, anybody_after = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])

-- A place: {ticket's id, ticket, rating, since, until}
local ID, TICKET, RATING, SINCE, UNTIL = 1, 2, 3, 4, 5

local function accepts(place, difference)
  local waited = now - place[SINCE]
  return waited >= anybody_after or difference * 1000 <= near * 1000 + wider * waited
end

local function place_of(player)
  local packed = redis.call('HGET', KEYS[2], player)
  return packed and cmsgpack.unpack(packed)
end

local function clear(player)
  redis.call('ZREM', KEYS[1], player)
  redis.call('HDEL', KEYS[2], player)
end

local function pair(first, second)
  local both = {first[TICKET], second[TICKET]}
  for _, place in ipairs({first, second}) do
    redis.call('SET', ARGV[4] .. place[ID], cmsgpack.pack(both), 'PX', ARGV[3])
  end
  return both
end

local function ask(player, id, rating, ticket)
  local known = redis.call('GET', ARGV[4] .. id)
  if known then return cmsgpack.unpack(known) end
  local before = place_of(player)
  local mine = {id, ticket, rating, before and before[SINCE] or now, now + lasts}
  local came_first = false
  for _, other in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    if other == player then
      came_first = true
    else
      local theirs = place_of(other)
      local difference = math.abs(theirs[RATING] - rating)
      if theirs[UNTIL] <= now then
        clear(other)
      elseif accepts(mine, difference) and accepts(theirs, difference) then
        clear(player)
        clear(other)
        return came_first and pair(mine, theirs) or pair(theirs, mine)
      end
    end
  end
  -- Not by the time: two may come within one millisecond.
  local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2] or '0'
  redis.call('ZADD', KEYS[1], 'NX', last + 1, player)
  redis.call('HSET', KEYS[2], player, cmsgpack.pack(mine))
  return false
end

local found = {}
for i = 8, #ARGV, 4 do
  found[#found + 1] = ask(ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]), ARGV[i + 3])
end
return found
