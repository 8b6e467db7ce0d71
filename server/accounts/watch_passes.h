// Lets operators look on at a table. Nothing is stored of a pass.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/ids.h"

namespace tesela::accounts {

/// How long a pass lets in.
inline constexpr std::chrono::hours kWatchPassTime{1};

/// Immutable: any thread.
class WatchPasses {
 public:
  using Time = std::chrono::system_clock::time_point;

  struct Issued {
    std::string pass;  // of characters that need no quotes anywhere
    Time expires;      // whole seconds
  };

  /// All servers on a database have the same key.
  explicit WatchPasses(std::string key) : key_(std::move(key)) {}

  [[nodiscard]] Issued issue(TableId table, Time now = std::chrono::system_clock::now()) const;
  /// Whether it is a pass to the table whose time is not over. Any other text is none.
  [[nodiscard]] bool admits(std::string_view pass, TableId table,
                            Time now = std::chrono::system_clock::now()) const;

 private:
  [[nodiscard]] std::string pass_until(TableId table, std::string_view end) const;

  std::string key_;
};

}  // namespace tesela::accounts
