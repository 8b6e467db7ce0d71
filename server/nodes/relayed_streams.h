// The streams and searches that other servers pass on to this one: they end when such a server has
// died.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "server/base/loop.h"
#include "server/store/ownership.h"

namespace tesela::nodes {

/// A server that stands still breaks no connection, and its clients cannot be reached. When its
/// life was declared dead, the streams that have come through it end, and the searches: their
/// players are away. `add` from any thread; `start` once, and `stop` once, while the loop runs.
class RelayedStreams {
 public:
  /// Both outlive it.
  RelayedStreams(base::Loop& loop, store::Ownership& ownership);
  RelayedStreams(const RelayedStreams&) = delete;
  RelayedStreams& operator=(const RelayedStreams&) = delete;

  /// Has `end` called, by the loop's thread, when the life has died. What is returned takes the
  /// stream out again when it is destroyed; it may be destroyed later than this object, and `end`
  /// is not called after that.
  [[nodiscard]] std::shared_ptr<void> add(store::LifeId life, std::function<void()> end);

  /// Looks every limits::kRelayingLivesInterval while there are streams.
  void start();
  /// Returns when the look under way has ended.
  boost::asio::awaitable<void> stop();

 private:
  struct Stream {
    store::LifeId life;
    std::function<void()> end;
  };
  struct Streams {
    std::mutex mutex;
    std::map<std::uint64_t, Stream> open;
    std::uint64_t last{};
  };

  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> stop_here();
  boost::asio::awaitable<void> look();
  [[nodiscard]] std::vector<store::LifeId> lives() const;

  base::Loop& loop_;
  store::Ownership& ownership_;
  const std::shared_ptr<Streams> streams_ = std::make_shared<Streams>();
  boost::asio::steady_timer pause_;
  boost::asio::steady_timer ended_;  // cancelled when the coroutine has ended
  bool running_ = false;
  bool stopping_ = false;
};

}  // namespace tesela::nodes
