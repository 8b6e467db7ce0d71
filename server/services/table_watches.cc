#include "server/services/table_watches.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/line_limits.h"
#include "server/base/wake.h"
#include "server/directory/lobby/table_proto.h"
#include "server/services/page_token.h"
#include "server/tables/core/seat_command.h"

namespace tesela::services {

namespace asio = boost::asio;

namespace {

bool is_or_was(const store::TableRow& row, store::TableState state, bool several) {
  switch (state) {
    case store::TableState::kOpen:
      if (row.state == store::TableState::kClosed) return true;
      // A full table for one player does not wait for players.
      if (row.state == store::TableState::kOpen) return row.seat_count > 1 || !tables::is_full(row);
      if (row.seat_count == 1) return false;
      return row.state == store::TableState::kInPlay || several;
    case store::TableState::kInPlay:
      return row.state != store::TableState::kOpen;
    case store::TableState::kOver:
    case store::TableState::kClosed:
      break;
  }
  return row.state == state;
}

}  // namespace

bool concerns(const store::TableRow& row, const store::TableFilter& filter, bool several) {
  const auto sits = [&](const store::SeatRow& seat) { return seat.player == *filter.player; };
  return (filter.game.empty() || filter.game == row.game) &&
         (!filter.player || std::ranges::any_of(row.seats, sits)) &&
         (filter.private_too || row.invite.empty()) &&
         (!filter.state || is_or_was(row, *filter.state, several));
}

namespace {

// One message for all watchers.
rpc::MessagePtr message_of(const store::TableRow& row) {
  auto message = std::make_shared<lobby::v1::WatchTablesResponse>();
  *message->mutable_table() = directory::to_proto(row);
  return message;
}

}  // namespace

class TableWatches::Watch final : public rpc::Stream {
 public:
  Watch(TableWatches& watches, store::TableFilter filter, quota::Slots slots,
        const asio::any_io_executor& executor)
      : watches_(watches), filter_(std::move(filter)), slots_(std::move(slots)), wake_(executor) {}
  ~Watch() override { watches_.open_.remove(*this); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] const store::TableFilter& filter() const { return filter_; }

  // Any thread.
  void push(rpc::MessagePtr change) {
    {
      const std::lock_guard lock{mutex_};
      if (changes_.size() < limits::kWatchQueueMax) {
        changes_.push_back(std::move(change));
      } else if (!end_) {
        end_ = Error{ErrorCode::kResourceExhausted,
                     "Changes came faster than they were read; watch again."};
      }
    }
    wake_.notify();
  }

  // Any thread. Changes that wait are dropped.
  void end(const Error& error) {
    {
      const std::lock_guard lock{mutex_};
      if (!end_) end_ = error;
    }
    wake_.notify();
  }

  std::function<void(const Error&)> ender() override {
    return [this](const Error& error) { end(error); };
  }

  asio::awaitable<Expected<rpc::MessagePtr>> next() override {
    // Changes are already pushed, so none is missed between them and the tables that are read now.
    if (!page_read_) {
      if (auto read = co_await read_page(); !read) co_return std::unexpected(read.error());
    }
    const auto quiet_until = std::chrono::steady_clock::now() + limits::kStreamQuietMax;
    for (;;) {
      {
        const std::lock_guard lock{mutex_};
        if (end_) co_return std::unexpected(*end_);
        std::deque<rpc::MessagePtr>& from = page_.empty() ? changes_ : page_;
        if (!from.empty()) {
          auto message = std::move(from.front());
          from.pop_front();
          co_return message;
        }
      }
      const bool woken = co_await wake_.wait(quiet_until);
      if (!woken) co_return std::make_shared<lobby::v1::WatchTablesResponse>();
    }
  }

 private:
  asio::awaitable<Expected<void>> read_page() {
    const auto rows = co_await watches_.store_.tables(filter_, std::nullopt, limits::kPageMax);
    if (!rows) co_return std::unexpected(rows.error());
    PageRoom room;
    for (const auto& row : *rows) {
      auto message = message_of(row);
      if (!room.takes(message->ByteSizeLong())) break;
      page_.push_back(std::move(message));
    }
    page_read_ = true;
    co_return Expected<void>{};
  }

  TableWatches& watches_;
  const store::TableFilter filter_;
  const quota::Slots slots_;
  base::Wake wake_;
  std::deque<rpc::MessagePtr> page_;
  bool page_read_ = false;
  std::mutex mutex_;
  std::deque<rpc::MessagePtr> changes_;  // from here on guarded by `mutex_`
  std::optional<Error> end_;
};

TableWatches::TableWatches(base::IoPool& io, store::Store& store, directory::TableFeed& feed)
    : io_(io),
      store_(store),
      open_({.most = limits::kWatchersMax,
             .full = "As many watch as may; try again later.",
             .stopping = "The server is stopping; watch again soon."}),
      subscription_(feed, {.changed = [this](const store::TableRow& row,
                                             bool several) { note(row, several); },
                           .missed = [this] { note_missed(); },
                           .wants = [this] { return !open_.empty(); }}) {}

TableWatches::~TableWatches() = default;

Expected<rpc::StreamPtr> TableWatches::watch(const lobby::v1::TableFilter& filter,
                                             std::optional<PlayerId> viewer, quota::Slots slots,
                                             const asio::any_io_executor& executor) {
  auto wanted = directory::from_proto(filter, viewer);
  if (!wanted) return std::unexpected(std::move(wanted.error()));
  const bool stranger = slots.of_stranger;
  auto watch = std::make_unique<Watch>(*this, std::move(*wanted), std::move(slots), executor);
  if (auto added = open_.add(*watch, stranger); !added)
    return std::unexpected(std::move(added.error()));
  return watch;
}

void TableWatches::note(const store::TableRow& row, bool several) {
  if (open_.empty()) return;
  {
    const std::lock_guard lock{mutex_};
    if (!missed_ && untold_.size() >= limits::kUntoldChangesMax) {
      missed_ = {ErrorCode::kResourceExhausted,
                 "More tables changed than can be told; watch again."};
    }
    if (missed_) {
      untold_.clear();
    } else {
      untold_.push_back({.row = row, .several = several});
    }
  }
  tell_soon();
}

void TableWatches::note_missed() {
  if (open_.empty()) return;
  {
    const std::lock_guard lock{mutex_};
    missed_ = {ErrorCode::kResourceExhausted,
               "Changes of tables may have been missed; watch again."};
    untold_.clear();
  }
  tell_soon();
}

void TableWatches::tell_soon() {
  {
    const std::lock_guard lock{mutex_};
    if (std::exchange(telling_, true)) return;
  }
  io_.any().hand_over([this] { tell_untold(); });
}

/// In the order of the changes, since one task runs at a time.
void TableWatches::tell_untold() {
  std::vector<Change> changed;
  std::optional<Error> missed;
  {
    const std::lock_guard lock{mutex_};
    missed = std::exchange(missed_, std::nullopt);
    if (untold_.empty() && !missed) {
      telling_ = false;
      return;
    }
    while (!untold_.empty() && changed.size() < limits::kPageMax) {
      changed.push_back(std::move(untold_.front()));
      untold_.pop_front();
    }
  }
  if (missed) open_.end_all(*missed);
  for (const Change& change : changed) tell(change);
  io_.any().hand_over([this] { tell_untold(); });
}

void TableWatches::tell(const Change& change) {
  rpc::MessagePtr message;
  open_.for_each([&](Watch& watch) {
    if (!concerns(change.row, watch.filter(), change.several)) return;
    if (!message) message = message_of(change.row);
    watch.push(message);
  });
}

void TableWatches::drain() {
  open_.drain();
}

}  // namespace tesela::services
