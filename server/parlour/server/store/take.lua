-- Takes one from each of several budgets, or nothing if one of them is spent.
--
-- KEYS  one for each budget: the moment up to which it is spent
-- ARGV  1 now; then for each budget: milliseconds after which one comes back, how many there are at most
-- gives 0 when taken, else the milliseconds to wait
local now = tonumber(ARGV[1])
local wait, spent = 0, {}
for i, key in ipairs(KEYS) do
  local step, most = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local from = math.max(tonumber(redis.call('GET', key) or '0'), now)
  wait = math.max(wait, from - now - step * (most - 1))
  spent[i] = from + step
end
-- Steps may be fractions of a millisecond, and so may their sums be wrong by a little.
if wait > 0.01 then return math.ceil(wait) end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.3f', spent[i]), 'PX', math.max(1, math.ceil(spent[i] - now)))
end
return 0
