-- Spend one action of each of several budgets, or none if any of them is exhausted.
--
-- KEYS  one per budget: the time up to which it is spent
-- ARGV  1 now; then for each budget: milliseconds until one action comes back, limit
-- Returns 0 if the actions were spent, else the milliseconds to wait.
local now = tonumber(ARGV[1])
local wait, spent = 0, {}
for i, key in ipairs(KEYS) do
  local interval, limit = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local from = math.max(tonumber(redis.call('GET', key) or '0'), now)
  wait = math.max(wait, from - now - interval * (limit - 1))
  spent[i] = from + interval
end
-- Intervals may be fractions of a millisecond, so sums are subject to rounding errors.
if wait > 0.01 then return math.ceil(wait) end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.3f', spent[i]), 'PX', math.max(1, math.ceil(spent[i] - now)))
end
return 0
