#include "server/services/replays.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/codec/table_options.h"
#include "server/directory/directory.h"
#include "server/execution/execution.h"
#include "server/history/game_record.h"
#include "server/replay/records.h"
#include "server/replay/replay.h"
#include "server/rpc/client_address.h"
#include "server/rpc/grpc_status.h"
#include "server/rpc/push_stream.h"
#include "server/rpc/unary_call.h"

namespace tesela::services {

namespace asio = boost::asio;
using execution::Execution;
using games::Want;

class Replays::Show final : public rpc::PushStream<lobby::v1::ReplayResponse> {
 public:
  Show(Replays& replays, asio::io_context& context, const lobby::v1::ReplayRequest& request,
       quota::QuotaPtr from)
      : PushStream(context),
        replays_(replays),
        quota_(std::move(from)),
        from_(std::max<std::uint64_t>(request.from_version(), 1)),
        until_(request.to_version()),
        room_(context, asio::steady_timer::time_point::max()) {}
  ~Show() override { --replays_.running_; }

  void start_with(TableId table) {
    start();
    asio::co_spawn(context_, run(shared_from_this(), table), asio::detached);
  }

 private:
  // `self` keeps the call alive.
  asio::awaitable<void> run(std::shared_ptr<PushStream> self, TableId table) {
    const auto shown = co_await play(table);
    if (!shown) {
      self->end(rpc::to_status(shown.error()));
      co_return;
    }
    {
      const std::lock_guard lock{mutex_};
      set_last();
    }
    schedule();
  }

  asio::awaitable<Expected<void>> play(TableId id) {
    if (until_ != Version{} && until_ < from_) {
      co_return tesela::refuse(ErrorCode::kInvalidArgument,
                               "to_version must be 0, or not before from_version.");
    }
    const auto row = co_await history::watchable(replays_.store_, id);
    if (!row) co_return std::unexpected(row.error());
    if (auto charged = co_await directory::charge_execution(replays_.log_, id, quota_); !charged) {
      co_return std::unexpected(std::move(charged.error()));
    }
    const auto options = codec::decode_table_options(row->options);
    if (!options) co_return std::unexpected(options.error());
    const auto history = co_await replay::undo_history_of(replays_.log_, id, *options, until_);
    if (!history) co_return std::unexpected(history.error());
    Execution execution(options->clock, history->returns());
    replay::Records records(replays_.log_, id, until_);
    for (;;) {
      const auto record = co_await records.read();
      if (!record) co_return std::unexpected(record.error());
      if (!*record) break;
      const auto played = advance(execution, **record);
      if (!played) co_return replay::damaged(records.version(), played.error().message);
      if (execution.version().value % limits::kExecutionSlice == 0) co_await replay::give_way();
      const bool wanted = co_await has_room();
      if (!wanted) co_return Expected<void>{};
    }
    if (execution.version() >= from_) co_return Expected<void>{};
    co_return tesela::refuse(ErrorCode::kNotFound, "The game has " +
                                                       std::to_string(execution.version().value) +
                                                       " versions; there is no version " +
                                                       std::to_string(from_.value) + ".");
  }

  Expected<void> advance(Execution& execution, const codec::Record& record) {
    if (execution.version() == Version{}) {
      if (auto begun = execution.begin(record); !begun) return begun;
    } else {
      const bool shown = execution.version() >= from_;
      const auto played = execution.play(record, shown ? Want::kFrame : Want::kPosition);
      if (!played) return std::unexpected(played.error());
      if (shown) push(played->frame);
    }
    if (execution.version() == from_) {
      push(execution.match().snapshot(from_, execution.at_ms(), execution.clock(),
                                      execution.at_ms()));
    }
    return {};
  }

  void push(const std::string& frame) {
    const auto message = std::make_shared<lobby::v1::ReplayResponse>();
    message->mutable_frame()->ParseFromString(frame);
    {
      const std::lock_guard lock{mutex_};
      frames_.push_back(message);
    }
    schedule();
  }

  /// Waits while enough is ready to be sent. False when the call has ended.
  asio::awaitable<bool> has_room() {
    for (;;) {
      {
        const std::lock_guard lock{mutex_};
        if (ending()) co_return false;
        if (frames_.size() < limits::kReplayAhead) co_return true;
      }
      boost::system::error_code woken;
      co_await room_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
  }

  Message take() override {
    if (frames_.empty()) return nullptr;
    Message next = std::move(frames_.front());
    frames_.pop_front();
    room_.cancel();
    return next;
  }

  void done() override {
    asio::post(context_, [self = shared_from_this(), this] { room_.cancel(); });
  }

  Replays& replays_;
  const quota::QuotaPtr quota_;
  const Version from_;
  const Version until_;
  asio::steady_timer room_;     // on the context's thread alone; cancelled: look again
  std::deque<Message> frames_;  // guarded by `mutex_`
};

Replays::Reactor* Replays::show(const lobby::v1::ReplayRequest& request,
                                Expected<rpc::CallSlots> slots, quota::QuotaPtr from) {
  const std::size_t others = running_++;
  const auto show = std::make_shared<Show>(*this, io_.any(), request, std::move(from));
  const auto table = rpc::table_id_of(request.table_id());
  if (others >= limits::kReplaysMax) {
    show->refuse({.code = ErrorCode::kResourceExhausted,
                  .message = "Too many games are being shown; try again in a moment."});
  } else if (!slots) {
    show->refuse(slots.error());
  } else if (!table) {
    show->refuse(table.error());
  } else {
    show->hold(std::move(*slots));
    show->start_with(*table);
  }
  return show.get();
}

}  // namespace tesela::services
