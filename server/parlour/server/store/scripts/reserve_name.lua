-- Reserve a name for a player, for a while, unless another player has it.
--
-- KEYS  1 name
-- ARGV  1 id of the player; 2 TTL of the reservation in milliseconds; 3 id of a holder who has given it up, or ''
-- Returns the time in milliseconds if the player has the name now; 0 if it is reserved for another player; the id of the
--         player who holds it for longer.
local holder, ttl = redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])
local is_reserved = ttl >= 0 and ttl <= tonumber(ARGV[2])
if holder and holder ~= ARGV[1] then
  if is_reserved then return 0 end
  if holder ~= ARGV[3] then return holder end
end
if holder ~= ARGV[1] or is_reserved then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)
