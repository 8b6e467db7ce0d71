// The database of a server: what is told of the one to the other.
#pragma once

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "engine/core/result.h"
#include "server/ops/config.h"
#include "server/store/life.h"

namespace tesela {

/// Where the other servers reach this one: the name of the machine, and the port of HTTP.
[[nodiscard]] inline std::string address_of(const ops::Config& config) {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) name.front() = '?';
  return std::string(name.data()) + ":" + std::to_string(config.http.port);
}

/// Logs a change of the store's health.
inline void tell_health(const Expected<void>& writable) {
  if (writable) {
    spdlog::warn("the database can be written again");
  } else {
    spdlog::error("{}", writable.error().message);
  }
}

/// Logs a change of the life, and ends a server that was declared dead, at once and without a word
/// to any client: others have its tables. What restarts it gives it another life.
inline void follow_life(store::LifeState state, store::LifeId life) {
  if (state == store::LifeState::kSpeaking) {
    spdlog::info("life {}: the lease runs", life.value);
  } else if (state == store::LifeState::kFrozen) {
    spdlog::warn("life {}: the lease may be over", life.value);
  } else {
    spdlog::critical("life {} was declared dead by another server: this one ends", life.value);
    spdlog::default_logger()->flush();
    ::_exit(EXIT_FAILURE);
  }
}

}  // namespace tesela
