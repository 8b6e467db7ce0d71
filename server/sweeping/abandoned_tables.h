// Closes tables that their players have abandoned.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>

#include "server/directory/directory.h"
#include "server/store/store.h"

namespace tesela::sweeping {

/// A table in memory is never closed: it has members, or had some within --table-idle. One thread.
class AbandonedTables {
 public:
  struct Parts {
    store::Store& store;
    directory::Directory& directory;
    std::chrono::milliseconds in_play;  // since the last event of a game in play
    std::chrono::milliseconds waiting;  // since an open table was made
  };

  explicit AbandonedTables(Parts parts) : parts_(parts) {}

  /// The search under way ends at the next table.
  void stop() { stopping_ = true; }

  /// Closes the tables that are abandoned now, and returns their number.
  boost::asio::awaitable<std::size_t> search();

 private:
  boost::asio::awaitable<std::size_t> close_those(store::TableState state,
                                                  std::chrono::milliseconds time);

  Parts parts_;
  bool stopping_ = false;
};

}  // namespace tesela::sweeping
