// The watches of the lobby: LobbyService.WatchTables.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <mutex>
#include <optional>

#include "server/base/io_pool.h"
#include "server/directory/lobby/table_feed.h"
#include "server/rpc/method.h"
#include "server/rpc/open_streams.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::services {

/// Whether a watcher with `filter` is told of `row`, which was made or has changed; `several`: it
/// may have been in other states since it was last told. A table that has left the state of the
/// filter is told once more: the watcher would show it for ever. A table goes from open (if it has
/// several seats) to in play to over.
[[nodiscard]] bool concerns(const store::TableRow& row, const store::TableFilter& filter,
                            bool several = false);

/// Any thread. Outlives its watches and its tasks in the pool.
class TableWatches {
 public:
  TableWatches(base::IoPool& io, store::Store& store, directory::TableFeed& feed);
  ~TableWatches();
  TableWatches(const TableWatches&) = delete;
  TableWatches& operator=(const TableWatches&) = delete;

  /// A stream, of `viewer` if that is known, of the tables that match now and then of every change.
  /// It ends with kResourceExhausted when its caller reads too slowly (limits::kWatchQueueMax), and
  /// when changes may have been missed: then its caller watches again.
  /// Awaited on `executor`. Errors: those of directory::from_proto; kResourceExhausted at
  /// limits::kWatchersMax; kUnavailable after `drain`.
  [[nodiscard]] Expected<rpc::StreamPtr> watch(const lobby::v1::TableFilter& filter,
                                               std::optional<PlayerId> viewer, quota::Slots slots,
                                               const boost::asio::any_io_executor& executor);

  /// Ends every watch with UNAVAILABLE, and every one that begins later.
  void drain();
  void undrain() { open_.undrain(); }

 private:
  class Watch;

  struct Change {
    store::TableRow row;
    bool several{};
  };

  /// Queues a change, which the pool then sends to the watchers. Called by a table's thread, which
  /// must not wait for the watchers nor for a lock that is held while they are told.
  void note(const store::TableRow& row, bool several);
  /// Ends the watches in the same way.
  void note_missed();
  void tell_soon();
  void tell_untold();
  void tell(const Change& change);

  base::IoPool& io_;
  store::Store& store_;
  rpc::OpenStreams<Watch> open_;
  std::mutex mutex_;
  std::deque<Change> untold_;    // from here on under the mutex
  std::optional<Error> missed_;  // the error that ends the watches
  bool telling_ = false;
  directory::TableFeed::Subscription subscription_;
};

}  // namespace tesela::services
