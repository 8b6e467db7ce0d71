// Tables that are made in advance, so that `tesela load` does not measure the creation of tables.
#pragma once

#include <google/protobuf/any.pb.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// One thread.
class TablePool {
 public:
  struct Options {
    ServerAddress server;
    std::string token;
    std::string game;
    std::size_t ahead = 0;  // how many are kept ready; 0 makes each on demand
  };

  /// Connections that make tables at the same time.
  static constexpr std::size_t kMakers = 8;

  TablePool(Executor executor, Options options);

  /// Makes tables until close(). Spawn it kMakers times.
  Task<void> make();
  /// A table for the caller alone; waits if none is ready. Errors: why a table could not be made,
  /// or kUnavailable after close().
  Task<Expected<std::string>> take();
  /// Ends make() and take().
  void close();

 private:
  Options options_;
  std::deque<Expected<std::string>> ready_;
  std::size_t waiting_ = 0;  // callers of take()
  std::size_t making_ = 0;
  bool closed_ = false;
  Timer needed_;  // cancelled to wake the makers
  Timer made_;    // cancelled to wake the takers
};

}  // namespace tesela::cli
