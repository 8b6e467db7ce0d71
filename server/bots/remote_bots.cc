#include "server/bots/remote_bots.h"

#include <algorithm>

#include "server/base/limits.h"
#include "server/bots/bots.h"

namespace tesela::bots {

using std::chrono::steady_clock;

struct RemoteBots::OpenRequest {
  BotRequestId id{};
  Key whose{};
  std::shared_ptr<RemoteBot> bot{};
  steady_clock::time_point deadline{};
  std::string move_type{};
  games::Judge judge{};
  std::move_only_function<void(std::optional<games::BotReply>)> answer{};
  std::optional<std::stop_callback<std::function<void()>>> stopped{};
};

RemoteBots::RemoteBots(Options options, metrics::Metrics& metrics)
    : options_(options),
      metrics_(metrics),
      clock_([this](const std::stop_token& stop) { keep_time(stop); }) {}

RemoteBots::~RemoteBots() = default;

Expected<void> RemoteBots::offer(Offer offer, std::shared_ptr<RemoteBot> bot) {
  Key key{offer.game, offer.strategy};
  const auto is_owned = [&](const auto& one) { return one.second.offer.owner == offer.owner; };
  const std::lock_guard lock{mutex_};
  if (bots_.contains(key)) {
    return refuse(ErrorCode::kAlreadyOffered, offer.strategy + " is offered for " + offer.game +
                                                  " already, on another stream.");
  }
  if (bots_.size() >= limits::kRemoteBotsMax) {
    return refuse(ErrorCode::kResourceExhausted, "Too many bots are offered; try again later.");
  }
  if (std::ranges::count_if(bots_, is_owned) >= limits::kRemoteBotsPerPlayerMax) {
    return refuse(ErrorCode::kResourceExhausted,
                  "You offer " + std::to_string(limits::kRemoteBotsPerPlayerMax) +
                      " bots already, as many as one player may.");
  }
  bots_.emplace(std::move(key), Offered{.offer = std::move(offer), .bot = std::move(bot)});
  return {};
}

void RemoteBots::withdraw(const RemoteBot& bot) {
  OpenRequests left;
  {
    const std::lock_guard lock{mutex_};
    for (auto one = open_.begin(); one != open_.end();) {
      const auto request = one++;
      if (request->bot.get() == &bot) take(request, left);
    }
    std::erase_if(bots_, [&](const auto& one) { return one.second.bot.get() == &bot; });
  }
  give_up(left, "left");
}

std::vector<RemoteBots::Offer> RemoteBots::offered(std::string_view game) const {
  const std::lock_guard lock{mutex_};
  std::vector<Offer> offers;
  for (const auto& [key, bot] : bots_) {
    if (key.first == game) offers.push_back(bot.offer);
  }
  return offers;
}

Expected<void> RemoteBots::check(std::string_view game, std::string_view strategy) const {
  if (!is_remote(strategy)) return {};
  const Key key{game, strategy};
  const std::lock_guard lock{mutex_};
  if (bots_.contains(key)) return {};
  return refuse(ErrorCode::kInvalidArgument,
                "Nobody offers " + key.second + " for " + key.first +
                    " now; ListStrategies tells which bots there are.");
}

bool RemoteBots::has_time(std::string_view game, std::string_view strategy) const {
  const Key key{game, strategy};
  const std::lock_guard lock{mutex_};
  const auto found = bots_.find(key);
  return found != bots_.end() && found->second.open < limits::kRemoteRequestsMax;
}

void RemoteBots::ask(Request request) {
  if (request.stop.stop_requested()) return;
  const BotRequestId id{++last_id_};
  OpenRequests asked;
  OpenRequest& open = asked.emplace_back();
  open.id = id;
  open.whose = {std::move(request.game), std::move(request.strategy)};
  open.move_type = request.position.move_type;
  open.judge = std::move(request.position.judge);
  open.answer = std::move(request.answer);
  open.stopped.emplace(std::move(request.stop), [this, id] { stop(id); });
  if (const auto bot = enter(asked)) {
    bot->ask({.id = id,
              .config = request.config,
              .position = request.position,
              .time = options_.time_max});
  } else {
    give_up(asked, "busy");
  }
}

/// Adds a request to the open ones and returns its bot; null when the bot is not offered or busy.
std::shared_ptr<RemoteBot> RemoteBots::enter(OpenRequests& asked) {
  const auto request = asked.begin();
  const std::lock_guard lock{mutex_};
  const auto found = bots_.find(request->whose);
  if (found == bots_.end() || found->second.open >= limits::kRemoteRequestsMax) return nullptr;
  ++found->second.open;
  request->bot = found->second.bot;
  request->deadline = steady_clock::now() + options_.time_max;
  by_id_.emplace(request->id, request);
  open_.splice(open_.end(), asked);
  if (open_.size() == 1) asked_.notify_one();
  return found->second.bot;
}

/// Under the mutex.
void RemoteBots::take(OpenRequests::iterator request, OpenRequests& into) {
  by_id_.erase(request->id);
  --bots_.find(request->whose)->second.open;
  into.splice(into.end(), open_, request);
}

/// The request, if it is open and belongs to `bot`; null: to any bot.
RemoteBots::OpenRequests RemoteBots::take(BotRequestId id, const RemoteBot* bot) {
  OpenRequests taken;
  const std::lock_guard lock{mutex_};
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return taken;
  const auto request = found->second;
  if (bot == nullptr || request->bot.get() == bot) take(request, taken);
  return taken;
}

void RemoteBots::give_up(OpenRequests& requests, std::string_view outcome) {
  for (OpenRequest& request : requests) {
    metrics_.remote_requests(outcome).Increment();
    request.answer(std::nullopt);
  }
}

void RemoteBots::answer(RemoteBot& bot, BotRequestId id, std::string_view type,
                        std::string_view move) {
  OpenRequests taken = take(id, &bot);
  if (taken.empty()) {
    bot.dismiss(id, "There is no such request, or it has ended.");
    return;
  }
  OpenRequest& request = taken.front();
  auto judged = type == request.move_type ? request.judge(move)
                                          : refuse(ErrorCode::kInvalidArgument,
                                                   "The move must be a " + request.move_type +
                                                       ", not '" + std::string(type) + "'.");
  if (!judged) {
    bot.dismiss(id, judged.error().message);
    give_up(taken, "illegal");
    return;
  }
  metrics_.remote_requests("answered").Increment();
  request.answer(games::BotReply{
      .strategy = request.whose.second, .move = std::move(*judged), .value = {}, .measure = {}});
}

/// Called from the request's stop callback, which may be destroyed by the call.
void RemoteBots::stop(BotRequestId id) {
  const OpenRequests taken = take(id, nullptr);
  if (taken.empty()) return;
  metrics_.remote_requests("stopped").Increment();
  taken.front().bot->dismiss(id, "The table no longer needs a move.");
}

void RemoteBots::keep_time(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (asked_.wait(lock, stop, [this] { return !open_.empty(); })) {
    const auto deadline = open_.front().deadline;
    asked_.wait_until(lock, stop, deadline, [] { return false; });
    if (stop.stop_requested()) return;
    OpenRequests late;
    while (!open_.empty() && open_.front().deadline <= steady_clock::now()) {
      take(open_.begin(), late);
    }
    lock.unlock();
    for (OpenRequest& request : late) request.bot->dismiss(request.id, "Too late.");
    give_up(late, "late");
    late.clear();
    lock.lock();
  }
}

}  // namespace tesela::bots
