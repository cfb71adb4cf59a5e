-- Update the players who are online on a node: apply changes, or replace all of them.
--
-- KEYS  1 the players on this node; 2 expiry of nodes
-- ARGV  1 now; 2 TTL in milliseconds; 3 node; 4 '1' if the other players of this node are to be forgotten;
--       5 number of players who left; then these; then the players who arrived
-- Returns the number of players on this node.
if ARGV[4] == '1' then redis.call('DEL', KEYS[1]) end
local first = 6 + ARGV[5]
for i = 6, first - 1 do redis.call('ZREM', KEYS[1], ARGV[i]) end
for i = first, #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[1] + ARGV[2], ARGV[3])
return redis.call('ZCARD', KEYS[1])
