// The streams of a service that are open now.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

#include "engine/core/result.h"
#include "server/quota/admission_control.h"

namespace tesela::rpc {

/// Any thread. A `Stream` is removed before it is destroyed; it has a function `end(Error)`.
template <class Stream>
class OpenStreams {
 public:
  struct Terms {
    std::size_t most;
    std::string full;      // the refusal of one more
    std::string stopping;  // the end of all streams in a drain, and the refusal of later ones
  };

  explicit OpenStreams(Terms terms) : terms_(std::move(terms)) {}

  /// Errors: kUnavailable after `drain`; kResourceExhausted, for a stranger before the last ones
  /// are taken (quota::open_to).
  [[nodiscard]] Expected<void> add(Stream& stream, bool stranger = false) {
    const std::lock_guard lock{mutex_};
    if (draining_) return std::unexpected(stopping());
    if (streams_.size() >= quota::open_to(stranger, terms_.most)) {
      return refuse(ErrorCode::kResourceExhausted, terms_.full);
    }
    streams_.insert(&stream);
    count_.store(streams_.size(), std::memory_order_relaxed);
    return {};
  }

  void remove(Stream& stream) {
    const std::lock_guard lock{mutex_};
    streams_.erase(&stream);
    count_.store(streams_.size(), std::memory_order_relaxed);
  }

  /// Takes no lock: streams that are added or removed at the same time may be counted or not.
  [[nodiscard]] bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }

  /// Ends every stream that is open now.
  void end_all(const Error& error) {
    const std::lock_guard lock{mutex_};
    for (Stream* stream : streams_) stream->end(error);
  }

  /// Ends every stream with kUnavailable, and refuses new ones.
  void drain() {
    const std::lock_guard lock{mutex_};
    draining_ = true;
    for (Stream* stream : streams_) stream->end(stopping());
  }

  void undrain() {
    const std::lock_guard lock{mutex_};
    draining_ = false;
  }

  /// Calls `visit` with each under a lock; `visit` must not use this object.
  template <class Visit>
  void for_each(Visit visit) {
    const std::lock_guard lock{mutex_};
    for (Stream* stream : streams_) visit(*stream);
  }

 private:
  [[nodiscard]] Error stopping() const {
    return {.code = ErrorCode::kUnavailable, .message = terms_.stopping};
  }

  const Terms terms_;
  std::mutex mutex_;
  std::unordered_set<Stream*> streams_;
  std::atomic<std::size_t> count_{0};
  bool draining_ = false;
};

}  // namespace tesela::rpc
