-- Read everything that is needed to continue with a room.
--
-- KEYS  1 log; 2 snapshot
-- Returns nil for a room without a log, else {seq and data of the newest snapshot or '0' and '', the entries after it}.
if redis.call('XLEN', KEYS[1]) == 0 then return nil end
local snapshot = redis.call('HMGET', KEYS[2], 'seq', 'data')
local seq = snapshot[1] or '0'
return {seq, snapshot[2] or '', redis.call('XRANGE', KEYS[1], (seq + 1) .. '-0', '+')}
