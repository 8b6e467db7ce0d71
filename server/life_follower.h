// Tells the server's parts what becomes of its life.
#pragma once

#include <mutex>

#include "server/base/loop.h"
#include "server/directory/directory.h"
#include "server/directory/lobby/table_feed.h"
#include "server/store/life.h"

namespace tesela {

/// Any thread.
class LifeFollower {
 public:
  /// From now on, changes are told. All outlive the last change.
  void follow(base::Loop& loop, directory::Directory& directory, directory::TableFeed& feed,
              store::Life& life);
  /// store::OnLifeState: logs the change. A life that has been renewed goes on where it was; after
  /// its death all tables are dropped, who watches the lobby watches again, and then another life
  /// begins.
  void changed(store::LifeState state, store::LifeId life);

 private:
  void thaw();
  void start_again();

  std::mutex mutex_;
  base::Loop* loop_{};
  directory::Directory* directory_{};
  directory::TableFeed* feed_{};
  store::Life* life_{};
};

}  // namespace tesela
