-- Turn a guest into an account with a permanent name.
--
-- KEYS  1 player; 2 the new name
-- ARGV  1 id; 2 name as shown; 3 name as compared; 4 hash of the password; 5 session and id of the command;
--       6 prefix of names; 7 prefix of tokens
-- Returns 'registered', 'repeated' if the command with this id has done so before, 'name_taken', 'already_registered' or
--         'player_unknown'.
local known = redis.call('HMGET', KEYS[1], 'kind', 'folded', 'registered')
if not known[1] then return 'player_unknown' end
if known[1] ~= 'guest' then return known[3] == ARGV[5] and 'repeated' or 'already_registered' end
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then return 'name_taken' end
redis.call('DEL', ARGV[6] .. known[2])
redis.call('SET', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[1], 'kind', 'account', 'name', ARGV[2], 'folded', ARGV[3], 'password', ARGV[4],
  'registered', ARGV[5])
redis.call('PERSIST', KEYS[1])
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local digest = string.match(field, '^token:(.*)')
  if digest then redis.call('PERSIST', ARGV[7] .. digest) end
end
return 'registered'
