#include "server/bots/remote_bots.h"

#include <algorithm>

#include "server/base/limits.h"
#include "server/bots/remote_name.h"

namespace tesela::bots {

using std::chrono::steady_clock;

struct Desk::Open {
  QuestionId id{};
  Key whose{};
  std::shared_ptr<OutsideBot> bot{};
  steady_clock::time_point deadline{};
  std::string move_type{};
  games::Judge judge{};
  std::move_only_function<void(std::optional<games::Advice>)> answer{};
  std::optional<std::stop_callback<std::function<void()>>> stopped{};
};

Desk::Desk(Options options, metrics::Metrics& metrics)
    : options_(options),
      metrics_(metrics),
      clock_([this](const std::stop_token& stop) { keep_time(stop); }) {}

Desk::~Desk() = default;

Expected<void> Desk::offer(Offer offer, std::shared_ptr<OutsideBot> bot) {
  Key key{offer.game, offer.strategy};
  const auto is_owned = [&](const auto& one) { return one.second.offer.owner == offer.owner; };
  const std::lock_guard lock{mutex_};
  if (bots_.contains(key)) {
    return refuse(ErrorCode::kAlreadyOffered, offer.strategy + " is offered for " + offer.game +
                                                  " already, on another stream.");
  }
  if (bots_.size() >= limits::kOutsideBotsMax) {
    return refuse(ErrorCode::kResourceExhausted,
                  "As many bots are offered as may be; try again later.");
  }
  if (std::ranges::count_if(bots_, is_owned) >= limits::kOutsideBotsPerPlayerMax) {
    return refuse(ErrorCode::kResourceExhausted,
                  "You offer " + std::to_string(limits::kOutsideBotsPerPlayerMax) +
                      " bots already, as many as one player may.");
  }
  bots_.emplace(std::move(key), Offered{.offer = std::move(offer), .bot = std::move(bot)});
  return {};
}

void Desk::withdraw(const OutsideBot& bot) {
  Opens left;
  {
    const std::lock_guard lock{mutex_};
    for (auto one = open_.begin(); one != open_.end();) {
      const auto question = one++;
      if (question->bot.get() == &bot) take(question, left);
    }
    std::erase_if(bots_, [&](const auto& one) { return one.second.bot.get() == &bot; });
  }
  give_up(left, "left");
}

std::vector<Desk::Offer> Desk::offered(std::string_view game) const {
  const std::lock_guard lock{mutex_};
  std::vector<Offer> offers;
  for (const auto& [key, bot] : bots_) {
    if (key.first == game) offers.push_back(bot.offer);
  }
  return offers;
}

Expected<void> Desk::check(std::string_view game, std::string_view strategy) const {
  if (!is_outside(strategy)) return {};
  const Key key{game, strategy};
  const std::lock_guard lock{mutex_};
  if (bots_.contains(key)) return {};
  return refuse(ErrorCode::kInvalidArgument,
                "Nobody offers " + key.second + " for " + key.first +
                    " now; ListStrategies tells which bots there are.");
}

bool Desk::has_time(std::string_view game, std::string_view strategy) const {
  const Key key{game, strategy};
  const std::lock_guard lock{mutex_};
  const auto found = bots_.find(key);
  return found != bots_.end() && found->second.open < limits::kOutsideQuestionsMax;
}

void Desk::ask(Question question) {
  if (question.stop.stop_requested()) return;
  const QuestionId id{++last_id_};
  Opens asked;
  Open& open = asked.emplace_back();
  open.id = id;
  open.whose = {std::move(question.game), std::move(question.strategy)};
  open.move_type = question.posed.move_type;
  open.judge = std::move(question.posed.judge);
  open.answer = std::move(question.answer);
  open.stopped.emplace(std::move(question.stop), [this, id] { stop(id); });
  if (const auto bot = enter(asked)) {
    bot->ask(
        {.id = id, .config = question.config, .posed = question.posed, .time = options_.time_max});
  } else {
    give_up(asked, "busy");
  }
}

/// Puts a question among the open ones. Gives its bot; none when that is not there or has no time.
std::shared_ptr<OutsideBot> Desk::enter(Opens& asked) {
  const auto question = asked.begin();
  const std::lock_guard lock{mutex_};
  const auto found = bots_.find(question->whose);
  if (found == bots_.end() || found->second.open >= limits::kOutsideQuestionsMax) return nullptr;
  ++found->second.open;
  question->bot = found->second.bot;
  question->deadline = steady_clock::now() + options_.time_max;
  by_id_.emplace(question->id, question);
  open_.splice(open_.end(), asked);
  if (open_.size() == 1) asked_.notify_one();
  return found->second.bot;
}

/// Needs the mutex.
void Desk::take(Opens::iterator question, Opens& into) {
  by_id_.erase(question->id);
  --bots_.find(question->whose)->second.open;
  into.splice(into.end(), open_, question);
}

/// The question, if it is open and is this bot's, or whosever it is without a bot.
Desk::Opens Desk::take(QuestionId id, const OutsideBot* bot) {
  Opens taken;
  const std::lock_guard lock{mutex_};
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return taken;
  const auto question = found->second;
  if (bot == nullptr || question->bot.get() == bot) take(question, taken);
  return taken;
}

void Desk::give_up(Opens& questions, std::string_view outcome) {
  for (Open& question : questions) {
    metrics_.outside_questions(outcome).Increment();
    question.answer(std::nullopt);
  }
}

void Desk::answer(OutsideBot& bot, QuestionId id, std::string_view type, std::string_view move) {
  Opens taken = take(id, &bot);
  if (taken.empty()) {
    bot.dismiss(id, "There is no such question, or it is settled.");
    return;
  }
  Open& question = taken.front();
  auto judged = type == question.move_type ? question.judge(move)
                                           : refuse(ErrorCode::kInvalidArgument,
                                                    "The move must be a " + question.move_type +
                                                        ", not '" + std::string(type) + "'.");
  if (!judged) {
    bot.dismiss(id, judged.error().message);
    give_up(taken, "illegal");
    return;
  }
  metrics_.outside_questions("answered").Increment();
  question.answer(games::Advice{
      .strategy = question.whose.second, .move = std::move(*judged), .value = {}, .measure = {}});
}

/// Called by the question's own callback, which may end inside its call.
void Desk::stop(QuestionId id) {
  const Opens taken = take(id, nullptr);
  if (taken.empty()) return;
  metrics_.outside_questions("stopped").Increment();
  taken.front().bot->dismiss(id, "The table wants no move any more.");
}

void Desk::keep_time(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (asked_.wait(lock, stop, [this] { return !open_.empty(); })) {
    const auto deadline = open_.front().deadline;
    asked_.wait_until(lock, stop, deadline, [] { return false; });
    if (stop.stop_requested()) return;
    Opens late;
    while (!open_.empty() && open_.front().deadline <= steady_clock::now()) {
      take(open_.begin(), late);
    }
    lock.unlock();
    for (Open& question : late) question.bot->dismiss(question.id, "Too late.");
    give_up(late, "late");
    late.clear();
    lock.lock();
  }
}

}  // namespace tesela::bots
