// How the connection to a table stands.
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
    kClosed,      // ended for good: the last one told
  };
  Phase phase = Phase::kConnecting;
  std::string why{};  // in kWaiting and kClosed: a sentence
  std::chrono::milliseconds retry_in{};
};

}  // namespace tesela::cli
