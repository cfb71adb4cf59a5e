-- Turn a guest into an account. Until its name is confirmed, the former name is kept in `unconfirmed`.
--
-- KEYS  1 player
-- ARGV  1 name as shown; 2 name as compared; 3 hash of the password; 4 session and id of the command;
--       5 time at which the name was reserved; 6 milliseconds for which the reservation can be relied on
-- Returns 'registered', 'repeated' if the command with this id has done so before, 'already_registered',
--         'player_unknown' or 'too_late'.
local known = redis.call('HMGET', KEYS[1], 'kind', 'registered', 'folded', 'name')
if not known[1] then return 'player_unknown' end
if known[1] ~= 'guest' then return known[2] == ARGV[4] and 'repeated' or 'already_registered' end
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 - ARGV[5] > tonumber(ARGV[6]) then return 'too_late' end
redis.call('HSET', KEYS[1], 'kind', 'account', 'name', ARGV[1], 'folded', ARGV[2], 'password', ARGV[3],
  'registered', ARGV[4], 'unconfirmed', known[3] .. ' ' .. known[4])
redis.call('PERSIST', KEYS[1])
return 'registered'
