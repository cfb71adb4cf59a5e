-- Record which node serves a player in a room, and until when another one did.
--
-- KEYS  1 nodes of the players; 2 log
-- ARGV  1 player; 2 node that serves the player; 3 node that must have served it until now, or '' for any; 4 now
local serving = redis.call('HGET', KEYS[1], ARGV[1])
local current = serving and string.match(serving, '^[^ ]*') or ''
if current == ARGV[2] or (ARGV[3] ~= '' and current ~= ARGV[3]) then return end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. current .. ' ' .. ARGV[4])
redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[2]))
