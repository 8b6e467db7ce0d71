#include "server/bots/remote_bots.h"

#include <algorithm>
#include <iterator>

#include "server/base/limits.h"
#include "server/base/threads/thread_name.h"
#include "server/bots/bots.h"

namespace tesela::bots {

using std::chrono::milliseconds;
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
  OpenRequests left;
  {
    const std::lock_guard lock{mutex_};
    if (auto checked = check(key, offer.owner); !checked) return checked;
    if (const auto elsewhere = bots_.find(key); elsewhere != bots_.end()) {
      take_all(*elsewhere->second.bot, left);
    }
    bots_.insert_or_assign(std::move(key),
                           Offered{.offer = std::move(offer), .bot = std::move(bot)});
  }
  give_up(left, "left");
  return {};
}

Expected<void> RemoteBots::check_offer(const Offer& offer) const {
  const std::lock_guard lock{mutex_};
  return check(Key{offer.game, offer.strategy}, offer.owner);
}

/// Under the mutex.
Expected<void> RemoteBots::check(const Key& key, PlayerId owner) const {
  std::size_t here = 0;
  std::ptrdiff_t owned = 0;
  for (const auto& [other, bot] : bots_) {
    if (!bot.here) continue;
    if (other == key) return store::already_offered(key.first, key.second);
    ++here;
    if (bot.offer.owner == owner) ++owned;
  }
  if (here >= limits::kRemoteBotsMax) return store::too_many_bots();
  if (owned >= limits::kRemoteBotsPerPlayerMax) return store::too_many_bots_of_player();
  return {};
}

bool RemoteBots::withdraw(const RemoteBot& bot) {
  OpenRequests left;
  bool was_offered = false;
  {
    const std::lock_guard lock{mutex_};
    take_all(bot, left);
    const auto is_bot = [&](const auto& one) { return one.second.bot.get() == &bot; };
    was_offered = std::erase_if(bots_, is_bot) > 0;
  }
  give_up(left, "left");
  return was_offered;
}

void RemoteBots::set_elsewhere(std::vector<Entry> bots) {
  OpenRequests left;
  {
    const std::lock_guard lock{mutex_};
    const auto stays = [&](const Offered& known) {
      return known.here || std::ranges::find(bots, known.bot, &Entry::bot) != bots.end();
    };
    for (const auto& [key, known] : bots_) {
      if (!stays(known)) take_all(*known.bot, left);
    }
    std::erase_if(bots_, [&](const auto& one) { return !stays(one.second); });
    for (Entry& entry : bots) {
      Key key{entry.offer.game, entry.offer.strategy};
      bots_.try_emplace(
          std::move(key),
          Offered{.offer = std::move(entry.offer), .bot = std::move(entry.bot), .here = false});
    }
  }
  give_up(left, "left");
}

std::vector<RemoteBots::Entry> RemoteBots::here() const {
  const std::lock_guard lock{mutex_};
  std::vector<Entry> entries;
  for (const auto& [key, bot] : bots_) {
    if (bot.here) entries.push_back({.offer = bot.offer, .bot = bot.bot});
  }
  return entries;
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

BotRequestId RemoteBots::ask(Request request) {
  if (request.stop.stop_requested()) return {};
  const BotRequestId id{++last_id_};
  const milliseconds time = std::min(request.time, options_.time_max);
  OpenRequests asked;
  OpenRequest& open = asked.emplace_back();
  open.id = id;
  open.whose = {std::move(request.game), std::move(request.strategy)};
  open.move_type = request.position.move_type;
  open.judge = std::move(request.position.judge);
  open.answer = std::move(request.answer);
  open.deadline = steady_clock::now() + time;
  open.stopped.emplace(std::move(request.stop),
                       [this, id] { stop(id, "The table no longer needs a move."); });
  if (const auto bot = enter(asked, request.only_here)) {
    bot->ask({.id = id, .config = request.config, .position = request.position, .time = time});
  } else {
    give_up(asked, "busy");
  }
  return id;
}

/// Adds a request to the open ones and returns its bot; null when the bot is not offered or busy.
std::shared_ptr<RemoteBot> RemoteBots::enter(OpenRequests& asked, bool only_here) {
  const auto request = asked.begin();
  const std::lock_guard lock{mutex_};
  const auto found = bots_.find(request->whose);
  if (found == bots_.end() || found->second.open >= limits::kRemoteRequestsMax) return nullptr;
  if (only_here && !found->second.here) return nullptr;
  ++found->second.open;
  request->bot = found->second.bot;
  by_id_.emplace(request->id, request);
  auto after = open_.end();
  while (after != open_.begin() && std::prev(after)->deadline > request->deadline) --after;
  open_.splice(after, asked);
  if (open_.begin() == request) asked_.notify_one();
  return found->second.bot;
}

/// Under the mutex.
void RemoteBots::take(OpenRequests::iterator request, OpenRequests& into) {
  by_id_.erase(request->id);
  --bots_.find(request->whose)->second.open;
  into.splice(into.end(), open_, request);
}

/// All of a bot. Under the mutex.
void RemoteBots::take_all(const RemoteBot& bot, OpenRequests& into) {
  for (auto one = open_.begin(); one != open_.end();) {
    const auto request = one++;
    if (request->bot.get() == &bot) take(request, into);
  }
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

void RemoteBots::give_up(const RemoteBot& bot, BotRequestId id) {
  OpenRequests taken = take(id, &bot);
  give_up(taken, "left");
}

void RemoteBots::dismiss(std::string_view game, std::string_view strategy, BotRequestId id,
                         const std::string& why) const {
  std::shared_ptr<RemoteBot> bot;
  {
    const std::lock_guard lock{mutex_};
    const auto found = bots_.find(Key{game, strategy});
    if (found == bots_.end() || !found->second.here) return;
    bot = found->second.bot;
  }
  bot->dismiss(id, why);
}

/// Called from the request's stop callback, which may be destroyed by the call.
void RemoteBots::stop(BotRequestId id, const std::string& why) {
  const OpenRequests taken = take(id, nullptr);
  if (taken.empty()) return;
  metrics_.remote_requests("stopped").Increment();
  taken.front().bot->dismiss(id, why);
}

void RemoteBots::keep_time(const std::stop_token& stop) {
  base::name_thread("remote-bots");
  std::unique_lock lock(mutex_);
  while (asked_.wait(lock, stop, [this] { return !open_.empty(); })) {
    const auto deadline = open_.front().deadline;
    asked_.wait_until(lock, stop, deadline,
                      [&] { return !open_.empty() && open_.front().deadline < deadline; });
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
