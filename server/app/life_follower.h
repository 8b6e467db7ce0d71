// Tells the server's parts what becomes of its life.
#pragma once

#include <mutex>
#include <optional>

#include "server/base/loop.h"
#include "server/directory/directory.h"
#include "server/directory/lobby/table_feed.h"
#include "server/store/life.h"

namespace tesela {

/// Any thread.
class LifeFollower {
 public:
  struct Parts {
    base::Loop& loop;
    directory::Directory& directory;
    directory::TableFeed& feed;
    store::Life& life;
    bool has_others;  // whether clients find other servers where this one is not ready
  };

  /// From now on, changes are told. The parts outlive the last change.
  void follow(const Parts& parts);
  /// store::OnLifeState: logs the change. A life that has been renewed goes on where it was; after
  /// its death all tables are dropped, who watches the lobby watches again, and then another life
  /// begins. Where the lease has been over for as long as one lasts, the database may be out of
  /// reach for this server alone: then clients are sent to the others, by the end of their streams.
  void changed(store::LifeState state, store::LifeId life);

 private:
  void thaw();
  void leave_clients();
  void start_again();

  std::mutex mutex_;
  std::optional<Parts> parts_;
};

}  // namespace tesela
