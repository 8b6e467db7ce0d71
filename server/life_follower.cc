#include "server/life_follower.h"

#include <spdlog/spdlog.h>

#include <boost/asio/awaitable.hpp>
#include <exception>

namespace tesela {
namespace {

// What the dropped tables have published last may be older than what was read of them since.
boost::asio::awaitable<void> begin_anew(directory::Directory& directory, directory::TableFeed& feed,
                                        store::Life& life) {
  co_await directory.drop_all();
  feed.tell_missed();
  life.begin_again();
}

}  // namespace

void LifeFollower::follow(base::Loop& loop, directory::Directory& directory,
                          directory::TableFeed& feed, store::Life& life) {
  {
    const std::scoped_lock lock(mutex_);
    loop_ = &loop;
    directory_ = &directory;
    feed_ = &feed;
    life_ = &life;
  }
  // What was told before.
  if (life.dead()) {
    start_again();
  } else {
    thaw();
  }
}

void LifeFollower::changed(store::LifeState state, store::LifeId life) {
  if (state == store::LifeState::kSpeaking) {
    spdlog::info("life {}: the lease runs", life.value);
    thaw();
  } else if (state == store::LifeState::kFrozen) {
    spdlog::warn("life {}: the lease may be over", life.value);
  } else {
    spdlog::error("life {} was declared dead by another server: its tables are dropped",
                  life.value);
    start_again();
  }
}

void LifeFollower::thaw() {
  const std::scoped_lock lock(mutex_);
  if (directory_ != nullptr) directory_->thaw();
}

void LifeFollower::start_again() {
  const std::scoped_lock lock(mutex_);
  if (loop_ == nullptr) return;
  loop_->spawn(begin_anew(*directory_, *feed_, *life_), [](const std::exception_ptr& thrown) {
    if (thrown) spdlog::critical("the tables of a dead life were not dropped");
  });
}

}  // namespace tesela
