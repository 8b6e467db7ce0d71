// Whether this process accepts work, for /readyz.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "engine/core/result.h"
#include "server/store/life.h"
#include "server/store/store.h"

namespace tesela::ops {

/// Any thread.
class Health {
 public:
  /// What becomes of the server while its database cannot be reached.
  enum class Away : std::uint8_t {
    kNotReady,  // its own database: others may be better off
    kReady,     // the database of all servers, for which calls and moves wait
  };

  /// `store` and `life` must outlive it.
  Health(const store::Store& store, const store::Life& life, Away away)
      : store_(store), life_(life), away_(away) {}

  /// The process is stopping, or was told to take nothing new: it is not ready until `undrain`.
  void drain() { draining_.store(true, std::memory_order_relaxed); }
  void undrain() { draining_.store(false, std::memory_order_relaxed); }
  [[nodiscard]] bool draining() const { return draining_.load(std::memory_order_relaxed); }

  /// Whether the server's lease may be over, so that it tells clients nothing. It stays ready: its
  /// tables are its own until it hears otherwise, and connections that are kept go on at once.
  [[nodiscard]] bool frozen() const { return !life_.may_speak(); }
  /// How long ago that lease was renewed; 0 without one.
  [[nodiscard]] std::chrono::milliseconds lease_age() const { return life_.lease_age(); }
  /// Whether the store could not be written when that was last tried.
  [[nodiscard]] bool store_away() const { return !store_.writable(); }

  /// Errors: kUnavailable while draining, or, as `away` says, when the store cannot be written;
  /// kCorrupt when the store is damaged.
  [[nodiscard]] Expected<void> ready() const;

 private:
  const store::Store& store_;
  const store::Life& life_;
  const Away away_;
  std::atomic<bool> draining_{false};
};

inline Expected<void> Health::ready() const {
  if (draining()) {
    return refuse(ErrorCode::kUnavailable, "The server is stopping.");
  }
  auto writable = store_.writable();
  const bool is_away = !writable && writable.error().code == ErrorCode::kUnavailable;
  if (is_away && away_ == Away::kReady) return {};
  return writable;
}

}  // namespace tesela::ops
