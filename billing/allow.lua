-- Takes a permit of KEYS[1], which may have ARGV[1] permits in six segments of
-- ten seconds. ARGV[2] is the number of the segment, or -1 for the server's.
-- Returns whether there was one, how many are left, and the server's time.
local limit, at = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
if at < 0 then
  at = math.floor(tonumber(time[1]) / 10)
end
local counts, newest = redis.call('HGETALL', KEYS[1]), -1
for i = 1, #counts, 2 do
  newest = math.max(newest, tonumber(counts[i]))
end
if newest - at >= 6 then -- set back by a whole window: the permits count as taken now
  local kept = 0
  for i = 1, #counts, 2 do
    if tonumber(counts[i]) > newest - 6 then
      kept = kept + tonumber(counts[i + 1])
    end
  end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], at, kept)
  redis.call('EXPIRE', KEYS[1], 70)
  counts, newest = {at, kept}, at
end
at = math.max(at, newest) -- set back by less it moves nothing
local used = 0
for i = 1, #counts, 2 do
  if tonumber(counts[i]) > at - 6 then
    used = used + tonumber(counts[i + 1])
  else
    redis.call('HDEL', KEYS[1], counts[i])
  end
end
local allowed, left = 0, 0
if used < limit then
  allowed, left = 1, limit - used - 1
end
if allowed == 1 or at > newest then
  redis.call('HINCRBY', KEYS[1], at, allowed)
  redis.call('EXPIRE', KEYS[1], 70)
end
return {allowed, left, tonumber(time[1]), tonumber(time[2])}
