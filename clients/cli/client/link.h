// The state of the connection to a table.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tesela::cli {

struct Link {
  enum class Phase : std::uint8_t {
    kConnecting,  // now
    kOpen,        // Welcome has come
    kWaiting,     // lost; tries again after `retry_in`
    kClosed,      // ended for good: the last phase
  };
  Phase phase = Phase::kConnecting;
  std::string why{};  // a sentence, in kWaiting and kClosed
  std::chrono::milliseconds retry_in{};
};

}  // namespace tesela::cli
