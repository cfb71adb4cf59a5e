-- The player who has a token; to be asked counts as use.
--
-- KEYS  1 token
-- ARGV  1 milliseconds until an unused guest is forgotten; 2 prefix of players; 3 prefix of names
-- gives {id, name} or nothing
--
-- The other two keys are found on the way. They have the same hash tag, so a cluster has them in the same place.
local id = redis.call('GET', KEYS[1])
if not id then return false end
local player = ARGV[2] .. id
local names = redis.call('HMGET', player, 'name', 'folded')
if not names[1] then return false end
if redis.call('PTTL', KEYS[1]) < ARGV[1] * 0.9 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  redis.call('PEXPIRE', player, ARGV[1])
  redis.call('PEXPIRE', ARGV[3] .. names[2], ARGV[1])
end
return {id, names[1]}
