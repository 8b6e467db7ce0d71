// The matcher: takes searches and makes tables of them.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "server/base/clock.h"
#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/directory/directory.h"
#include "server/matchmaking/leading.h"
#include "server/matchmaking/matchmaker.h"
#include "server/matchmaking/parties.h"
#include "server/matchmaking/search.h"
#include "server/matchmaking/waiting.h"
#include "server/metrics/metrics.h"
#include "server/store/life.h"
#include "server/store/ownership.h"
#include "server/store/store.h"

namespace tesela::matchmaking {

/// One coroutine on one loop takes new searches, drops ended ones, and makes a pass, in turn. So a
/// ticket is in one pairing at a time. Tickets are in memory alone: the transaction that stores a
/// table compares and sets the last match of each player, so that none is seated twice, also where
/// it is unknown whether an earlier transaction was stored.
///
/// Of the servers on a database the one matches that has the lease of Duty::kMatch. At the others
/// searches fail with kFenced, and so do all searches of a server that has lost the lease, or gives
/// it up: whoever searches again at the server that has it then finds also the table of a match
/// that was not told.
///
/// `stop` fails all searches, and those that are added later, with kFenced, and gives the lease up.
class Matcher final : public base::Worker {
 public:
  struct Parts {
    base::Loop& loop;
    store::Store& store;
    store::Ownership& ownership;
    const store::Life& life;
    directory::Directory& directory;
    metrics::Metrics& metrics;
    /// Whether a player may still search (accounts::ActsInForce::may_seek).
    std::function<Expected<void>(PlayerId)> may_seek = [](PlayerId) { return Expected<void>(); };
  };

  explicit Matcher(Parts parts);

  /// Whether this server has the lease, as far as it knows. Any thread.
  [[nodiscard]] bool leads() const { return leads_.load(std::memory_order_relaxed); }

  /// Adds a search, which is told of its progress. Any thread.
  void add(std::shared_ptr<Search> search);
  /// Removes a search whose call has ended, at the next pass. Any thread.
  void remove(const std::shared_ptr<Search>& search);

 private:
  /// A pairing whose table is ready to be stored.
  struct Ready {
    store::MatchedTable matched;
    Pairing pairing;
    directory::TableSlots slots{};
  };

  using SearchPtr = std::shared_ptr<Search>;
  using Seekers = std::unordered_map<PlayerId, store::SeekerRow>;

  // On the loop's thread.
  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<Expected<void>> begin();
  boost::asio::awaitable<void> match();
  void end_searches();
  void note_loss(const Error& error);
  boost::asio::awaitable<void> rest();
  Searches take_arrivals();
  void drop_gone();
  boost::asio::awaitable<void> queue_up(Searches arrivals);
  boost::asio::awaitable<Expected<Seekers>> seekers_of(std::span<const SearchPtr> searches);
  boost::asio::awaitable<Expected<Searches>> party_with(SearchPtr search,
                                                        const Expected<Seekers>& known);
  boost::asio::awaitable<Expected<Ticket>> ticket_of(std::span<const SearchPtr> party,
                                                     const Expected<Seekers>& known);
  boost::asio::awaitable<void> pass();
  [[nodiscard]] std::optional<Ready> prepare(Pairing pairing);
  [[nodiscard]] std::vector<store::MatchedPlayer> players_of(const Pairing& pairing) const;
  boost::asio::awaitable<void> make(std::vector<Ready> tables);
  boost::asio::awaitable<void> retry_or_fail(Ready table, Error error);
  boost::asio::awaitable<void> announce(std::vector<Ready> tables);
  void give_up(const Pairing& pairing, const Error& error);
  void fail(const std::shared_ptr<Search>& search, const Error& error);
  void forget(const std::shared_ptr<Search>& search);
  /// Unix time that goes on evenly when the wall clock is set, so that no wait changes.
  [[nodiscard]] std::int64_t now_ms() const {
    return began_.unix_ms + base::Moment::now().steady_ms - began_.steady_ms;
  }

  Parts parts_;
  const base::Moment began_ = base::Moment::now();
  std::atomic<bool> leads_{false};
  Searches arrivals_;
  std::unordered_map<PlayerId, std::shared_ptr<Search>> searches_;  // by player
  Parties parties_;
  Waiting waiting_;
  Leading leading_;
};

}  // namespace tesela::matchmaking
