// A part of the server that runs: how it starts, and how it ends.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <string_view>

#include "server/base/worker.h"

namespace tesela {

struct RunningPart {
  /// How much of the time that a stop has left the end of the part may take.
  enum class Time : std::uint8_t {
    kAll,
    kLeavesSome,   // to the parts that end after it, however long it would take
    kAllAndAborts  // `stop` knows the time itself, and then aborts what is left
  };

  std::string_view what;  // for the log
  std::function<void()> start = [] {};
  /// While the loops run. Once, or again after another drain.
  std::function<boost::asio::awaitable<void>()> stop;
  Time time = Time::kAll;
};

/// The worker outlives it.
[[nodiscard]] inline RunningPart part_of(base::Worker& worker) {
  return {.what = worker.what(),
          .start = [&worker] { worker.start(); },
          .stop = [&worker] { return worker.stop(); }};
}

}  // namespace tesela
