// Closes tables that their players have abandoned.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>

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
    /// Whether the search under way ends at the next table.
    std::function<bool()> stopping = [] { return false; };
  };

  explicit AbandonedTables(Parts parts) : parts_(std::move(parts)) {}

  /// Closes the tables that are abandoned now, and returns their number.
  boost::asio::awaitable<std::size_t> search();

 private:
  boost::asio::awaitable<std::size_t> close_those(store::TableState state,
                                                  std::chrono::milliseconds time);

  const Parts parts_;
};

}  // namespace tesela::sweeping
