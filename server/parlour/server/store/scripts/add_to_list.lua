-- Add a player to a list of another one.
--
-- KEYS  1 player whose list it is; 2 list
-- ARGV  1 id of the player to add; 2 maximum length; 3 TTL of a guest's list in milliseconds
-- Returns 1 if the player is on the list now, 0 if the list is full.
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 0 then
  if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[2]) then return 0 end
  redis.call('SADD', KEYS[2], ARGV[1])
end
if redis.call('HGET', KEYS[1], 'kind') == 'guest' then
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
else
  redis.call('PERSIST', KEYS[2])
end
return 1
