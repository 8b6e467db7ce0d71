// The live tables of this process: makes them, finds them, loads them from the log when somebody comes,
// and lets them go when nobody has been there for a while.
#pragma once

#include <google/protobuf/any.pb.h>

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/lobby/table_feed.h"
#include "server/net/io_pool.h"
#include "server/store/store.h"
#include "server/table/table.h"

namespace tesela::lobby {

/// Threading: `create` from anywhere; `open` on the table's own context (IoPool::index_of).
class Directory {
 public:
  struct Parts {
    net::IoPool& io;
    store::EventLog& log;
    store::Store& store;
    TableFeed& feed;
    std::chrono::milliseconds table_idle;
  };

  explicit Directory(Parts parts);
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  /// Makes a table of `game` with `config` (empty: the game's defaults) and seats `owner` at it. Durable
  /// when it returns, and told to the feed. Errors: kInvalidArgument for an unknown game or a
  /// configuration that its rules refuse; kUnavailable while stopping, or when the store cannot write.
  boost::asio::awaitable<Expected<store::TableRow>> create(PlayerId owner, std::string game,
                                                           std::optional<google::protobuf::Any> config);

  /// The live table, loaded from its log if it was not in memory. Errors: kNotFound, kUnavailable,
  /// kCorrupt.
  boost::asio::awaitable<Expected<std::shared_ptr<table::Table>>> open(TableId id);

  /// No table is made from now on.
  void drain();
  /// Ends every table with `reason`, and returns when the last has ended. Nothing can be opened after.
  boost::asio::awaitable<void> close_all();

 private:
  struct Shard;
  Parts parts_;
  std::vector<std::unique_ptr<Shard>> shards_;  // one a context, touched by its thread alone
  std::atomic<bool> draining_{false};
};

}  // namespace tesela::lobby
