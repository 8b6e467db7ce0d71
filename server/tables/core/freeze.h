// Whether the server's lease may be over, as one loop sees it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "server/store/life.h"

namespace tesela::tables {

/// While the lease may be over, another server may have the tables: nothing is told to a client, no
/// command is handled, and nothing times out. A freeze that was noticed, or that is noticed after
/// the lease was renewed, lasts until `thaw`. One thread: the loop's.
class Freeze {
 public:
  /// `life` and `io` outlive it.
  Freeze(boost::asio::io_context& io, const store::Life& life)
      : life_(life),
        gaps_(life.gaps()),
        changed_(io, boost::asio::steady_timer::time_point::max()) {}

  /// Whether it is frozen. Reads a clock.
  [[nodiscard]] bool on();
  /// Called when the lease may have been renewed. If it was: ends the freeze, calls the waiting
  /// callbacks, and wakes the other loops. Returns whether there was a freeze.
  bool thaw();
  /// Calls `then` at the next thaw, unless `waiter` is gone.
  void at_thaw(std::weak_ptr<void> waiter, std::function<void()> then);

  /// Returns after a thaw, or `wake`.
  boost::asio::awaitable<void> change();
  void wake() { changed_.cancel(); }

 private:
  struct Waiting {
    std::weak_ptr<void> waiter;
    std::function<void()> then;
  };

  const store::Life& life_;
  std::uint64_t gaps_;  // of the life, at the last thaw
  bool frozen_ = false;
  std::vector<Waiting> waiting_;  // one for each connection, and for each pause that was over
  boost::asio::steady_timer changed_;
};

}  // namespace tesela::tables
