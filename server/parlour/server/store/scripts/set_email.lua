-- Set the e-mail address of an account, or remove it.
--
-- KEYS  1 player
-- ARGV  1 hash of the password; 2 address, or '' to remove it
-- Returns the address before, or nil if the password is no longer that one.
if redis.call('HGET', KEYS[1], 'password') ~= ARGV[1] then return false end
local before = redis.call('HGET', KEYS[1], 'email') or ''
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], 'email')
else redis.call('HSET', KEYS[1], 'email', ARGV[2]) end
return before
