// The desk of bots from outside: who is offered, and what they have been asked.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/games/think.h"
#include "server/metrics/metrics.h"

namespace tesela::bots {

/// A question to a bot from outside, from 1 on.
using QuestionId = Strong<struct QuestionTag, std::uint64_t>;

/// What a bot is asked.
struct Inquiry {
  QuestionId id;
  std::string_view config;  // an encoded google.protobuf.Any
  const games::Posed& posed;
  std::chrono::milliseconds time;  // in which an answer counts
};

/// The way to a bot. Called from any thread, without a lock; must not wait.
class OutsideBot {
 public:
  OutsideBot() = default;
  OutsideBot(const OutsideBot&) = delete;
  OutsideBot& operator=(const OutsideBot&) = delete;
  virtual ~OutsideBot() = default;

  virtual void ask(const Inquiry& inquiry) = 0;
  /// The question is settled without the bot: `why` is a sentence.
  virtual void dismiss(QuestionId question, const std::string& why) = 0;
};

/// Any thread. No function waits for a bot.
class Desk {
 public:
  struct Options {
    std::chrono::milliseconds time_max;  // of an answer
  };
  struct Offer {
    PlayerId owner;
    std::string game;
    std::string strategy;  // of `outside_strategy`
    std::string description;
  };
  struct Question {
    std::string game;
    std::string strategy;
    std::string config;  // an encoded google.protobuf.Any
    games::Posed posed;
    std::stop_token stop;  // nobody wants the answer any more
    /// Called once, unless it was stopped: with a move that the rules allow, or with none when the
    /// bot is not offered, has too many questions, is late, leaves, or answers what is no move.
    std::move_only_function<void(std::optional<games::Advice>)> answer;
  };

  Desk(Options options, metrics::Metrics& metrics);
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  /// From now on `bot` is asked, until `withdraw`. Errors: kAlreadyOffered; kResourceExhausted
  /// beyond limits::kOutsideBotsMax, and beyond kOutsideBotsPerPlayerMax of one owner.
  [[nodiscard]] Expected<void> offer(Offer offer, std::shared_ptr<OutsideBot> bot);
  /// The bot has left, if it was there: its questions are answered with none.
  void withdraw(const OutsideBot& bot);
  /// The bots of a game, by name.
  [[nodiscard]] std::vector<Offer> offered(std::string_view game) const;
  /// Whether a strategy of the game can be asked for. Error: kInvalidArgument for a bot from
  /// outside that is not offered now.
  [[nodiscard]] Expected<void> check(std::string_view game, std::string_view strategy) const;
  /// Whether the bot is offered and may be asked one more question.
  [[nodiscard]] bool has_time(std::string_view game, std::string_view strategy) const;

  void ask(Question question);
  /// What the bot says: a message of the type, encoded.
  void answer(OutsideBot& bot, QuestionId question, std::string_view type, std::string_view move);

  /// How long a bot has for an answer.
  [[nodiscard]] std::chrono::milliseconds time_max() const { return options_.time_max; }

 private:
  using Key = std::pair<std::string, std::string>;  // the game and the strategy
  struct Offered {
    Offer offer;
    std::shared_ptr<OutsideBot> bot;
    std::size_t open = 0;  // questions
  };
  struct Open;
  /// In the order of their deadlines. Those that are taken out end without the mutex: what they
  /// hold may call back.
  using Opens = std::list<Open>;

  [[nodiscard]] std::shared_ptr<OutsideBot> enter(Opens& asked);
  void take(Opens::iterator question, Opens& into);
  [[nodiscard]] Opens take(QuestionId id, const OutsideBot* bot);
  void give_up(Opens& questions, std::string_view outcome);
  void stop(QuestionId id);
  void keep_time(const std::stop_token& stop);

  const Options options_;
  metrics::Metrics& metrics_;
  std::atomic<std::uint64_t> last_id_{0};
  mutable std::mutex mutex_;
  std::map<Key, Offered> bots_;  // from here on under the mutex
  Opens open_;
  std::unordered_map<QuestionId, Opens::iterator> by_id_;
  std::condition_variable_any asked_;
  std::jthread clock_;  // last: it uses everything above
};

}  // namespace tesela::bots
