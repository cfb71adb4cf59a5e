-- Confirm the name of a player, unless another player has taken it.
--
-- KEYS  1 name
-- ARGV  1 id of the player; 2 TTL in milliseconds, 0 for none
-- Returns 1 if the player has the name, else 0.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then
  redis.call('SET', KEYS[1], ARGV[1])
elseif redis.call('PTTL', KEYS[1]) ~= -1 then -- the name of an account does not expire again
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1
