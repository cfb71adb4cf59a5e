-- Add a bot to the list of an account, unless it is there already.
--
-- KEYS  1 owner; 2 the owner's bots
-- ARGV  1 name as compared; 2 id for a new bot; 3 maximum number of bots
-- Returns {id of the bot}, or 'too_many' or 'not_an_account'.
if redis.call('HGET', KEYS[1], 'kind') ~= 'account' then return 'not_an_account' end
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known then return {known} end
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return 'too_many' end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return {ARGV[2]}
