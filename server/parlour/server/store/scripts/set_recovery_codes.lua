-- Replace the recovery codes of an account.
--
-- KEYS  1 player
-- ARGV  1 hash of the password; 2 salt; 3… digests of the codes
-- Returns 1, or nil if the password is no longer that one.
if redis.call('HGET', KEYS[1], 'password') ~= ARGV[1] then return false end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.match(field, '^recovery:') then redis.call('HDEL', KEYS[1], field) end
end
redis.call('HSET', KEYS[1], 'recovery_salt', ARGV[2])
for i = 3, #ARGV do redis.call('HSET', KEYS[1], 'recovery:' .. ARGV[i], '') end
return 1
