-- Spend some units of a budget, unless it has fewer left.
--
-- KEYS  1 the time up to which it is spent
-- ARGV  1 now; 2 milliseconds until one unit comes back; 3 limit; 4 units to spend
-- Returns 0 if they were spent, else the milliseconds to wait.
local now, interval, amount = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
local from = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = from - now - interval * (ARGV[3] - amount)
-- Intervals may be fractions of a millisecond, so sums are subject to rounding errors.
if wait > 0.01 then return math.ceil(wait) end
local spent = from + interval * amount
redis.call('SET', KEYS[1], string.format('%.3f', spent), 'PX', math.max(1, math.ceil(spent - now)))
return 0
