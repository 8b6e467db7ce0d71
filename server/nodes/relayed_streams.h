// The streams and searches that other servers pass on to this one: they end when such a server has
// died.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/store/ownership.h"

namespace tesela::nodes {

/// A server that stands still breaks no connection, and its clients cannot be reached. When its
/// life was declared dead, the streams that have come through it end, and the searches: their
/// players are away. It looks every limits::kRelayingLivesInterval while there are streams.
class RelayedStreams final : public base::Worker {
 public:
  /// Both outlive it.
  RelayedStreams(base::Loop& loop, store::Ownership& ownership);

  /// Has `end` called, by the loop's thread, when the life has died. What is returned takes the
  /// stream out again when it is destroyed; it may be destroyed later than this object, and `end`
  /// is not called after that. Any thread.
  [[nodiscard]] std::shared_ptr<void> add(store::LifeId life, std::function<void()> end);

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

  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<void> look();
  [[nodiscard]] std::vector<store::LifeId> lives() const;

  store::Ownership& ownership_;
  const std::shared_ptr<Streams> streams_ = std::make_shared<Streams>();
};

}  // namespace tesela::nodes
