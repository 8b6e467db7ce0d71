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

namespace {

bool is_or_was(const store::TableRow& row, store::TableState state) {
  switch (state) {
    case store::TableState::kOpen:
      return row.state == store::TableState::kOpen ||
             (row.state == store::TableState::kInPlay && row.seat_count > 1);
    case store::TableState::kInPlay:
      return row.state != store::TableState::kOpen;
    case store::TableState::kOver:
      break;
  }
  return row.state == store::TableState::kOver;
}

}  // namespace

bool concerns(const store::TableRow& row, const store::TableFilter& filter) {
  const auto sits = [&](const store::SeatRow& seat) { return seat.player == *filter.player; };
  return (filter.game.empty() || filter.game == row.game) &&
         (!filter.player || std::ranges::any_of(row.seats, sits)) &&
         (!filter.state || is_or_was(row, *filter.state));
}

namespace {

// One message for all who are told.
using Message = std::shared_ptr<const v1::WatchTablesResponse>;

Message message_of(const store::TableRow& row) {
  const auto message = std::make_shared<v1::WatchTablesResponse>();
  *message->mutable_table() = to_proto(row);
  return message;
}

}  // namespace

// gRPC is called on one context's thread alone and never under a lock: it may call back from
// inside.
class TableWatches::Watch final : public Reactor, public std::enable_shared_from_this<Watch> {
 public:
  Watch(TableWatches& watches, asio::io_context& context, store::TableFilter filter)
      : watches_(watches), context_(context), filter_(std::move(filter)) {}

  // Changes are pushed already: none falls between them and the tables that are read now.
  void start() {
    self_ = shared_from_this();
    StartSendInitialMetadata();
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
    watches_.remove(self_);
    self_.reset();
  }

  [[nodiscard]] const store::TableFilter& filter() const { return filter_; }

  void push(Message change) {
    {
      const std::lock_guard lock{mutex_};
      if (ending_) return;
      if (changes_.size() >= limits::kWatchQueueMax) {
        ending_ = grpc::Status{grpc::StatusCode::RESOURCE_EXHAUSTED,
                               "Changes came faster than they were read; watch again."};
      } else {
        changes_.push_back(std::move(change));
      }
    }
    schedule();
  }

 private:
  asio::awaitable<void> first_page(std::shared_ptr<Watch> self) {
    auto rows = co_await watches_.store_.tables(self->filter_, std::nullopt, limits::kPageMax);
    if (!rows) {
      self->end(net::to_status(rows.error()));
      co_return;
    }
    {
      const std::lock_guard lock{self->mutex_};
      for (const auto& row : *rows) self->page_.push_back(message_of(row));
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
      StartWrite(current_.get());
    }
  }

  bool take_next() {
    if (!page_read_) return false;
    std::deque<Message>& from = page_.empty() ? changes_ : page_;
    if (from.empty()) return false;
    current_ = std::move(from.front());
    from.pop_front();
    writing_ = true;
    return true;
  }

  TableWatches& watches_;
  asio::io_context& context_;
  const store::TableFilter filter_;
  std::shared_ptr<Watch> self_;  // until gRPC has done with it
  Message current_;              // is being written

  std::mutex mutex_;  // guards what follows
  std::deque<Message> page_;
  std::deque<Message> changes_;
  std::optional<grpc::Status> ending_;
  bool page_read_ = false;
  bool writing_ = false;
  bool finished_ = false;
};

TableWatches::TableWatches(net::IoPool& io, store::Store& store, TableFeed& feed)
    : io_(io),
      store_(store),
      subscription_(feed.subscribe([this](const store::TableRow& row) { tell(row); })) {}

TableWatches::~TableWatches() = default;

TableWatches::Reactor* TableWatches::watch(const v1::TableFilter& filter) {
  auto wanted = from_proto(filter);
  const auto watch =
      std::make_shared<Watch>(*this, io_.any(), wanted ? *wanted : store::TableFilter{});
  if (!wanted) {
    watch->refuse(wanted.error());
  } else if (const auto added = add(watch); !added) {
    watch->refuse(added.error());
  } else {
    watch->start();
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

void TableWatches::tell(const store::TableRow& row) {
  const std::lock_guard lock{mutex_};
  Message change;
  for (const auto& watch : watches_) {
    if (!concerns(row, watch->filter())) continue;
    if (!change) change = message_of(row);
    watch->push(change);
  }
}

void TableWatches::drain() {
  const std::lock_guard lock{mutex_};
  draining_ = true;
  for (const auto& watch : watches_) {
    watch->end({grpc::StatusCode::UNAVAILABLE, "The server is stopping; watch again soon."});
  }
}

}  // namespace tesela::lobby
