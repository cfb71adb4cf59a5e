-- Read everything that is needed to continue with a room.
--
-- KEYS  1 log; 2 snapshot; 3 record
-- Returns nil for an unknown room, {record} for an archived one, else {seq and data of the newest snapshot or '0' and
-- '', the entries after it}.
if redis.call('XLEN', KEYS[1]) == 0 then
  local record = redis.call('GET', KEYS[3])
  return record and {record}
end
local snapshot = redis.call('HMGET', KEYS[2], 'seq', 'data')
local seq = snapshot[1] or '0'
return {seq, snapshot[2] or '', redis.call('XRANGE', KEYS[1], (seq + 1) .. '-0', '+')}
