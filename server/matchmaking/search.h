// A call of MatchmakingService.Find, as the matcher sees it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/relay_limits.h"
#include "server/matchmaking/ticket.h"
#include "server/quota/admission_control.h"
#include "server/store/store.h"

namespace tesela::matchmaking {

/// The request of a player.
struct Seeker {
  PlayerId player;
  std::string name;
  Queue queue;
  std::optional<BotWish> bots{};
  std::string party{};        // the party's code; empty: the player is alone
  std::size_t party_size{1};  // the player included
  std::string contribution{};
  bool contribute_later{};                        // the contribution follows when there is a table
  std::shared_ptr<quota::Slots> slots{};          // of the table to come
  std::chrono::steady_clock::time_point began{};  // when the player's call came, anywhere
};

class Search;

/// The progress of a search.
struct SearchNews {
  std::size_t position{};  // in its queue, from 1; 0: the party is incomplete
  std::optional<std::int64_t> estimate_ms{};
  std::span<const std::shared_ptr<Search>> present;  // of the party, who has called, in that order
};

/// Functions may be called from any thread; none after `matched` or `failed`.
class Search {
 public:
  explicit Search(Seeker seeker) : seeker_(std::move(seeker)) {}
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  [[nodiscard]] const Seeker& seeker() const { return seeker_; }

  virtual void searching(const SearchNews& news) = 0;
  /// The player has a seat at `table`, which is stored.
  virtual void matched(const store::TableRow& table) = 0;
  virtual void failed(const Error& error) = 0;

  /// The call has ended.
  void leave() { gone_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool gone() const { return gone_.load(std::memory_order_relaxed); }

 private:
  const Seeker seeker_;
  std::atomic<bool> gone_{false};
};

/// Whether a search of a player takes the place of the one before: not if it is that of a call
/// which came before it, whose server has not noticed that its client has gone.
[[nodiscard]] inline bool replaces(const Search& search, const Search& before) {
  return before.gone() || search.seeker().began + limits::kSearchAgeSlack >= before.seeker().began;
}

}  // namespace tesela::matchmaking
