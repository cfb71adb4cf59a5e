-- Open a seek, or an invitation, which is on no list.
--
-- KEYS  1 seek; 2 list of seeks; 3 version of the list; 4 data of the listed seeks; 5 their owners
-- ARGV  1 id; 2 data; 3 TTL in milliseconds; 4 maximum length of the list, 0 for an invitation; 5 channel;
--       6 start of the message; for a seek also 7 player; 8 address; 9 maximum number of a player; 10 of an address
-- Returns 1 if it is open, also if it was already; 0 if it was withdrawn; -1 if the list is full, -2 if the player has
--         too many seeks, -3 if the address has; {taker, payload} if it was accepted.
local state = redis.call('HMGET', KEYS[1], 'taker', 'payload', 'closed')
if state[1] then return {state[1], state[2]} end
if state[3] == 'withdrawn' then return 0 end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local max_length = tonumber(ARGV[4])
local is_new = max_length > 0 and not redis.call('ZSCORE', KEYS[2], ARGV[1])
if is_new then
  local of_player, of_address = 0, 0
  for _, owner in ipairs(redis.call('HVALS', KEYS[5])) do
    local player, address = string.match(owner, '^(%S*) (.*)$')
    if player == ARGV[7] then of_player = of_player + 1 end
    if address == ARGV[8] then of_address = of_address + 1 end
  end
  if of_player >= tonumber(ARGV[9]) then return -2 end
  if of_address >= tonumber(ARGV[10]) then return -3 end
  if redis.call('ZCARD', KEYS[2]) >= max_length then return -1 end
end
redis.call('HDEL', KEYS[1], 'closed')
redis.call('HSET', KEYS[1], 'data', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if max_length > 0 then
  redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
  redis.call('HSET', KEYS[4], ARGV[1], ARGV[2])
  redis.call('HSET', KEYS[5], ARGV[1], ARGV[7] .. ' ' .. ARGV[8])
end
if is_new then
  redis.call('SPUBLISH', ARGV[5], ARGV[6] .. redis.call('INCR', KEYS[3]) .. ' + ' .. ARGV[1] .. '\n' .. ARGV[2])
end
return 1
