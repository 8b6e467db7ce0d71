#include "server/services/table_watches.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/directory/table_proto.h"
#include "server/rpc/client_address.h"
#include "server/rpc/grpc_status.h"
#include "server/rpc/push_stream.h"
#include "server/services/page_token.h"
#include "server/tables/core/seat_command.h"

namespace tesela::services {

namespace asio = boost::asio;

namespace {

bool is_or_was(const store::TableRow& row, store::TableState state) {
  switch (state) {
    case store::TableState::kOpen:
      if (row.state == store::TableState::kClosed) return true;
      // A table for one whose seat is taken waits for nobody else, whatever it waits for.
      if (row.state == store::TableState::kOpen) return row.seat_count > 1 || !tables::is_full(row);
      return row.state == store::TableState::kInPlay && row.seat_count > 1;
    case store::TableState::kInPlay:
      return row.state != store::TableState::kOpen;
    case store::TableState::kOver:
    case store::TableState::kClosed:
      break;
  }
  return row.state == state;
}

}  // namespace

bool concerns(const store::TableRow& row, const store::TableFilter& filter) {
  const auto sits = [&](const store::SeatRow& seat) { return seat.player == *filter.player; };
  return (filter.game.empty() || filter.game == row.game) &&
         (!filter.player || std::ranges::any_of(row.seats, sits)) &&
         (filter.private_too || row.invite.empty()) &&
         (!filter.state || is_or_was(row, *filter.state));
}

namespace {

// One message for all who are told.
using Message = std::shared_ptr<const lobby::v1::WatchTablesResponse>;

Message message_of(const store::TableRow& row) {
  const auto message = std::make_shared<lobby::v1::WatchTablesResponse>();
  *message->mutable_table() = directory::to_proto(row);
  return message;
}

}  // namespace

class TableWatches::Watch final : public rpc::PushStream<lobby::v1::WatchTablesResponse> {
 public:
  Watch(TableWatches& watches, asio::io_context& context, store::TableFilter filter)
      : PushStream(context), watches_(watches), filter_(std::move(filter)) {}

  // Changes are pushed already: none falls between them and the tables that are read now.
  void start_with_page() {
    start();
    asio::co_spawn(context_, first_page(shared_from_this()), asio::detached);
  }

  [[nodiscard]] const store::TableFilter& filter() const { return filter_; }

  void push(Message change) {
    {
      const std::lock_guard lock{mutex_};
      if (ending()) return;
      if (changes_.size() >= limits::kWatchQueueMax) {
        set_ending(rpc::to_status({ErrorCode::kResourceExhausted,
                                   "Changes came faster than they were read; watch again."}));
      } else {
        changes_.push_back(std::move(change));
      }
    }
    schedule();
  }

 private:
  // `self` keeps the watch alive.
  asio::awaitable<void> first_page(std::shared_ptr<PushStream> self) {
    const auto rows = co_await watches_.store_.tables(filter_, std::nullopt, limits::kPageMax);
    if (!rows) {
      self->end(rpc::to_status(rows.error()));
      co_return;
    }
    {
      const std::lock_guard lock{mutex_};
      PageRoom room;
      for (const auto& row : *rows) {
        auto message = message_of(row);
        if (!room.takes(message->ByteSizeLong())) break;
        page_.push_back(std::move(message));
      }
      page_read_ = true;
    }
    schedule();
  }

  Message take() override {
    if (!page_read_) return nullptr;
    std::deque<Message>& from = page_.empty() ? changes_ : page_;
    if (from.empty()) return nullptr;
    Message next = std::move(from.front());
    from.pop_front();
    return next;
  }

  void done() override {
    watches_.open_.remove(std::static_pointer_cast<Watch>(shared_from_this()));
  }

  TableWatches& watches_;
  const store::TableFilter filter_;
  std::deque<Message> page_;  // from here on guarded by `mutex_`
  std::deque<Message> changes_;
  bool page_read_ = false;
};

TableWatches::TableWatches(base::IoPool& io, store::Store& store, directory::TableFeed& feed)
    : io_(io),
      store_(store),
      open_({.most = limits::kWatchersMax,
             .full = "As many watch as may; try again later.",
             .stopping = "The server is stopping; watch again soon."}),
      subscription_(feed.subscribe([this](const store::TableRow& row) { note(row); })) {}

TableWatches::~TableWatches() = default;

TableWatches::Reactor* TableWatches::watch(const lobby::v1::TableFilter& filter,
                                           std::optional<PlayerId> viewer,
                                           Expected<rpc::CallSlots> slots) {
  auto wanted = directory::from_proto(filter, viewer);
  const auto watch =
      std::make_shared<Watch>(*this, io_.any(), wanted ? *wanted : store::TableFilter{});
  if (!wanted) {
    watch->refuse(wanted.error());
  } else if (!slots) {
    watch->refuse(slots.error());
  } else if (const auto added = open_.add(watch); !added) {
    watch->refuse(added.error());
  } else {
    watch->hold(std::move(*slots));
    watch->start_with_page();
  }
  return watch.get();
}

void TableWatches::note(const store::TableRow& row) {
  if (open_.empty()) return;
  {
    const std::lock_guard lock{mutex_};
    too_many_ = too_many_ || untold_.size() >= limits::kUntoldChangesMax;
    if (too_many_) {
      untold_.clear();
    } else {
      untold_.push_back(row);
    }
    if (std::exchange(telling_, true)) return;
  }
  io_.any().hand_over([this] { tell_untold(); });
}

/// In the order of the changes, since one task runs at a time.
void TableWatches::tell_untold() {
  std::vector<store::TableRow> changed;
  bool too_many = false;
  {
    const std::lock_guard lock{mutex_};
    too_many = std::exchange(too_many_, false);
    if (untold_.empty() && !too_many) {
      telling_ = false;
      return;
    }
    while (!untold_.empty() && changed.size() < limits::kPageMax) {
      changed.push_back(std::move(untold_.front()));
      untold_.pop_front();
    }
  }
  if (too_many) {
    open_.end_all(
        {ErrorCode::kResourceExhausted, "More tables changed than can be told; watch again."});
  }
  for (const auto& row : changed) tell(row);
  io_.any().hand_over([this] { tell_untold(); });
}

void TableWatches::tell(const store::TableRow& row) {
  Message change;
  open_.for_each([&](Watch& watch) {
    if (!concerns(row, watch.filter())) return;
    if (!change) change = message_of(row);
    watch.push(change);
  });
}

void TableWatches::drain() {
  open_.drain();
}

}  // namespace tesela::services
