-- Requests of random users for wrk: `wrk … -s requests.lua URL -- USERS PATH [MARKS]`. With MARKS, a file with a user's number
-- and a video's ID on each line, every request marks one of these videos instead.
local number = 0

function setup(thread)
  number = number + 1
  thread:set("number", number)
end

function init(arguments)
  math.randomseed(os.time() * 100 + number)
  users, path = tonumber(arguments[1]), arguments[2]
  if arguments[3] then
    marks = {}
    for line in io.lines(arguments[3]) do marks[#marks + 1] = line end
  end
end

function request()
  if not marks then
    local token = "mth_user" .. math.random(users)
    return wrk.format("GET", path, { ["Authorization"] = "Bearer " .. token, ["X-Auth-Token"] = token })
  end
  local user, video = string.match(marks[math.random(#marks)], "(%d+) (%S+)")
  local body = string.format('{"marks":[{"video":"%s","note":"%d"}]}', video, math.random(1000000000))
  return wrk.format("POST", path, {
    ["Authorization"] = "Bearer mth_user" .. user, ["Content-Type"] = "application/json" }, body)
end

function done(summary, latency)
  print(string.format("RESULT %d %d %.2f %.2f %d", summary.requests, summary.duration, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
