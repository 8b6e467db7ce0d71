// Everybody who watches the lobby: LobbyService.WatchTables.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <deque>
#include <mutex>

#include "server/base/io_pool.h"
#include "server/directory/table_feed.h"
#include "server/rpc/client_address.h"
#include "server/rpc/open_streams.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::services {

/// Whether a watcher with `filter` is told of `row`, which was made or has changed. A table that
/// has left the state of the filter is told once more: the watcher would show it for ever. A table
/// goes from open (if it has several seats) to in play to over.
[[nodiscard]] bool concerns(const store::TableRow& row, const store::TableFilter& filter);

/// Any thread. Outlives its watches and what it has posted to the pool: the gRPC server and the
/// pool have stopped before it is destroyed.
class TableWatches {
 public:
  using Reactor = grpc::ServerWriteReactor<lobby::v1::WatchTablesResponse>;

  TableWatches(base::IoPool& io, store::Store& store, directory::TableFeed& feed);
  ~TableWatches();
  TableWatches(const TableWatches&) = delete;
  TableWatches& operator=(const TableWatches&) = delete;

  /// A call, of `viewer` if that is known, that sends the tables that match now, then every change,
  /// and ends with RESOURCE_EXHAUSTED when the caller reads too slowly (limits::kWatchQueueMax). It
  /// owns itself. At limits::kWatchersMax, while draining, with a filter that is not valid, or
  /// without slots, it ends at once.
  Reactor* watch(const lobby::v1::TableFilter& filter, std::optional<PlayerId> viewer,
                 Expected<rpc::CallSlots> slots);

  /// Ends every watch with UNAVAILABLE, and every one that begins later.
  void drain();

 private:
  class Watch;

  /// Keeps a change until it is told, on the pool: who publishes it is a table's thread, which must
  /// wait neither for the watchers nor for a lock that is held while they are told.
  void note(const store::TableRow& row);
  void tell_untold();
  void tell(const store::TableRow& row);

  base::IoPool& io_;
  store::Store& store_;
  rpc::OpenStreams<Watch> open_;
  std::mutex mutex_;
  std::deque<store::TableRow> untold_;  // from here on under the mutex
  bool too_many_ = false;
  bool telling_ = false;
  directory::TableFeed::Subscription subscription_;
};

}  // namespace tesela::services
