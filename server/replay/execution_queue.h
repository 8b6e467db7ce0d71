// The order in which logs are executed when many wait: after a restart, all streams come at once.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::replay {

/// Urgencies of executions, the highest first.
enum class Urgency : std::uint8_t {
  kCommand,    // a player who plays: an undo, or a move that was sent again
  kPlayer,     // a player who connects to a game that is not over
  kSpectator,  // others, at a game that is not over
  kBots,       // nobody but bots
  kEnded,      // somebody, at a game that is over
};

/// At most `at_once` executions run; the others wait: the most urgent begin first, of equal ones
/// those that have come first. One in limits::kExecutionsPerOldest is the one that has waited
/// longest, so that nobody waits for ever. Any thread. May be destroyed while there are turns, and
/// while waiters remain, which are then never resumed.
class ExecutionQueue {
 private:
  class State;

 public:
  /// The right to execute; given back when destroyed. Move-only.
  class Turn {
   public:
    Turn() = default;
    explicit Turn(std::shared_ptr<State> state) : state_(std::move(state)) {}
    Turn(Turn&& other) noexcept = default;
    Turn& operator=(Turn&& other) noexcept;
    ~Turn() { give_back(); }

   private:
    void give_back();

    std::shared_ptr<State> state_;
  };

  /// `waiting_max`: how many may wait.
  ExecutionQueue(std::size_t at_once, std::size_t waiting_max);
  ~ExecutionQueue();
  ExecutionQueue(const ExecutionQueue&) = delete;
  ExecutionQueue& operator=(const ExecutionQueue&) = delete;

  /// Waits for a turn. Error: kUnavailable when too many wait and none of them is less urgent; when
  /// a more urgent waiter comes and too many wait, the latest of the least urgent waiters gets it
  /// too.
  [[nodiscard]] boost::asio::awaitable<Expected<Turn>> enter(Urgency urgency, TableId table);
  /// Somebody more urgent waits for the execution of a table: those that wait for it have at least
  /// this urgency from now on. They keep the time at which they have come.
  void hurry(TableId table, Urgency urgency);
  /// How many wait.
  [[nodiscard]] std::size_t waiting() const;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace tesela::replay
