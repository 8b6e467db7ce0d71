// What a store reports while it runs, for metrics and the log.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::store {

/// One transaction of the writer, for metrics.
struct CommitReport {
  std::size_t writes{};             // of the batch
  std::chrono::nanoseconds time{};  // from BEGIN to the end of COMMIT
  bool committed{};
};

/// Called on a thread of the store after each transaction: it must be quick and must not throw.
using OnCommit = std::function<void(const CommitReport&)>;
/// Called after each failed transaction, with "read" or "write", on the thread of the transaction.
/// It must be quick and must not throw.
using OnError = std::function<void(std::string_view operation)>;
/// Called after each change of Store::writable, one call at a time. It must be quick and must not
/// throw.
using OnHealthChange = std::function<void(const Expected<void>& writable)>;

}  // namespace tesela::store
