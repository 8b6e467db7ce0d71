// Makes hashes that take a processor long, and memory, on a thread of its own.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <string>

#include "engine/core/result.h"
#include "server/base/io_pool.h"
#include "server/base/limits.h"
#include "server/base/places.h"

namespace tesela::accounts {

/// Hashes that are asked for at once. Above: kResourceExhausted.
inline constexpr std::size_t kHashesWaiting = 32;

/// Hashes of secrets of recovery codes, one after the other. Any thread.
class Hasher {
 public:
  Hasher() { pool_.run(); }

  /// Errors: kResourceExhausted when too many wait.
  boost::asio::awaitable<Expected<std::string>> hash(std::string secret);
  /// Whether `hash` is of `secret` (is_hash_of). Errors likewise.
  boost::asio::awaitable<Expected<bool>> check(std::string hash, std::string secret);

 private:
  template <class T>
  boost::asio::awaitable<Expected<T>> run(boost::asio::awaitable<T> work);

  base::Places places_{kHashesWaiting};
  base::IoPool pool_{1, limits::kGrpcNiceness, "hashing"};
};

}  // namespace tesela::accounts
