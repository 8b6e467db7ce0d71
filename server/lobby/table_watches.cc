#include "server/lobby/table_watches.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <optional>
#include <utility>

#include "server/lobby/table_proto.h"
#include "server/net/grpc_status.h"
#include "server/net/limits.h"

namespace tesela::lobby {

namespace asio = boost::asio;

bool concerns(const store::TableRow& row, const store::TableFilter& filter) {
  const auto sits = [&](const store::SeatRow& seat) { return seat.player == *filter.player; };
  return (filter.game.empty() || filter.game == row.game) &&
         (!filter.player || std::ranges::any_of(row.seats, sits)) &&
         (filter.state != store::TableState::kOver || row.state == store::TableState::kOver);
}

// gRPC is called on one context's thread alone and never under a lock: it may call back from
// inside.
class TableWatches::Watch final : public Reactor, public std::enable_shared_from_this<Watch> {
 public:
  Watch(TableWatches& watches, asio::io_context& context) : watches_(watches), context_(context) {}

  // Subscribed before the tables are read: no change falls between.
  void start(store::TableFilter filter) {
    filter_ = std::move(filter);
    self_ = shared_from_this();
    StartSendInitialMetadata();
    subscription_ = watches_.feed_.subscribe([this](const store::TableRow& row) { push(row); });
    asio::co_spawn(context_, first_page(self_), asio::detached);
  }

  void refuse(const Error& error) {
    self_ = shared_from_this();
    end(net::to_status(error));
  }

  void end(grpc::Status status) {
    {
      const std::lock_guard lock{mutex_};
      if (!ending_) ending_ = std::move(status);
    }
    schedule();
  }

  void OnWriteDone(bool ok) override {
    if (!ok) return end(grpc::Status::CANCELLED);
    {
      const std::lock_guard lock{mutex_};
      writing_ = false;
    }
    schedule();
  }

  void OnSendInitialMetadataDone(bool /*ok*/) override {}

  void OnCancel() override { end(grpc::Status::CANCELLED); }

  void OnDone() override {
    subscription_ = {};
    watches_.remove(self_);
    self_.reset();
  }

 private:
  void push(const store::TableRow& row) {
    if (!concerns(row, filter_)) return;
    {
      const std::lock_guard lock{mutex_};
      if (ending_) return;
      if (changes_.size() >= limits::kWatchQueueMax) {
        ending_ = grpc::Status{grpc::StatusCode::RESOURCE_EXHAUSTED,
                               "Changes came faster than they were read; watch again."};
      } else {
        *changes_.emplace_back().mutable_table() = to_proto(row);
      }
    }
    schedule();
  }

  asio::awaitable<void> first_page(std::shared_ptr<Watch> self) {
    auto rows = co_await watches_.store_.tables(self->filter_, std::nullopt, limits::kPageMax);
    if (!rows) {
      self->end(net::to_status(rows.error()));
      co_return;
    }
    {
      const std::lock_guard lock{self->mutex_};
      for (const auto& row : *rows) *self->page_.emplace_back().mutable_table() = to_proto(row);
      self->page_read_ = true;
    }
    self->schedule();
  }

  void schedule() {
    asio::post(context_, [self = shared_from_this()] { self->go_on(); });
  }

  void go_on() {
    std::optional<grpc::Status> end;
    {
      const std::lock_guard lock{mutex_};
      if (finished_) return;
      if (ending_) {
        finished_ = true;
        end = ending_;
      } else if (writing_ || !take_next()) {
        return;
      }
    }
    if (end) {
      Finish(*end);
    } else {
      StartWrite(&current_);
    }
  }

  bool take_next() {
    if (!page_read_) return false;
    std::deque<v1::WatchTablesResponse>& from = page_.empty() ? changes_ : page_;
    if (from.empty()) return false;
    current_ = std::move(from.front());
    from.pop_front();
    writing_ = true;
    return true;
  }

  TableWatches& watches_;
  asio::io_context& context_;
  store::TableFilter filter_;
  TableFeed::Subscription subscription_;
  std::shared_ptr<Watch> self_;  // until gRPC has done with it
  v1::WatchTablesResponse current_;

  std::mutex mutex_;  // guards what follows
  std::deque<v1::WatchTablesResponse> page_;
  std::deque<v1::WatchTablesResponse> changes_;
  std::optional<grpc::Status> ending_;
  bool page_read_ = false;
  bool writing_ = false;
  bool finished_ = false;
};

TableWatches::TableWatches(net::IoPool& io, store::Store& store, TableFeed& feed)
    : io_(io), store_(store), feed_(feed) {}

TableWatches::~TableWatches() = default;

TableWatches::Reactor* TableWatches::watch(const v1::TableFilter& filter) {
  const auto watch = std::make_shared<Watch>(*this, io_.any());
  auto wanted = from_proto(filter);
  if (!wanted) {
    watch->refuse(wanted.error());
  } else if (const auto added = add(watch); !added) {
    watch->refuse(added.error());
  } else {
    watch->start(std::move(*wanted));
  }
  return watch.get();
}

Expected<void> TableWatches::add(const std::shared_ptr<Watch>& watch) {
  const std::lock_guard lock{mutex_};
  if (draining_)
    return refuse(ErrorCode::kUnavailable, "The server is stopping; watch again soon.");
  if (watches_.size() >= limits::kWatchersMax) {
    return refuse(ErrorCode::kResourceExhausted, "As many watch as may; try again later.");
  }
  watches_.insert(watch);
  return {};
}

void TableWatches::remove(const std::shared_ptr<Watch>& watch) {
  const std::lock_guard lock{mutex_};
  watches_.erase(watch);
}

void TableWatches::drain() {
  const std::lock_guard lock{mutex_};
  draining_ = true;
  for (const auto& watch : watches_) {
    watch->end({grpc::StatusCode::UNAVAILABLE, "The server is stopping; watch again soon."});
  }
}

}  // namespace tesela::lobby
