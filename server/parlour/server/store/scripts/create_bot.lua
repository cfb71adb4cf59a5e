-- Create a bot for an account. If the account already has a bot of that name, replace the bot's tokens.
--
-- KEYS  1 name; 2 owner; 3 the owner's bots; 4 token
-- ARGV  1 id of the owner; 2 id for a new bot; 3 name as shown; 4 name as compared; 5 digest of the token;
--       6 maximum number of bots; 7 prefix of players; 8 prefix of tokens
-- Returns {id, name, digests of the revoked tokens}, or 'name_taken', 'too_many' or 'not_an_account'.
if redis.call('HGET', KEYS[2], 'kind') ~= 'account' then return 'not_an_account' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local id = redis.call('GET', KEYS[1])
if id then
  if redis.call('SISMEMBER', KEYS[3], id) == 0 then return 'name_taken' end
else
  if redis.call('SCARD', KEYS[3]) >= tonumber(ARGV[6]) then return 'too_many' end
  id = ARGV[2]
  redis.call('SET', KEYS[1], id)
  redis.call('SADD', KEYS[3], id)
  redis.call('HSET', ARGV[7] .. id, 'kind', 'bot', 'name', ARGV[3], 'folded', ARGV[4], 'owner', ARGV[1], 'created', now)
end
local bot, revoked = ARGV[7] .. id, {}
for _, field in ipairs(redis.call('HKEYS', bot)) do
  local digest = string.match(field, '^token:(.*)')
  if digest and digest ~= ARGV[5] then
    revoked[#revoked + 1] = digest
    redis.call('HDEL', bot, field)
    redis.call('DEL', ARGV[8] .. digest)
  end
end
redis.call('HSET', bot, 'token:' .. ARGV[5], now .. ' ' .. now)
redis.call('SET', KEYS[4], id)
return {id, redis.call('HGET', bot, 'name'), revoked}
