#include "server/services/history/replays.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/codec/table_options.h"
#include "server/directory/execution_charge.h"
#include "server/replay/log_execution.h"
#include "server/replay/replay.h"

namespace tesela::services {

namespace asio = boost::asio;
using games::Want;

class Replays::Show final : public rpc::Stream {
 public:
  Show(Replays& replays, TableId table, const lobby::v1::ReplayRequest& request, quota::Slots slots,
       quota::QuotaPtr from, history::Invitation invitation)
      : replays_(replays),
        table_(table),
        slots_(std::move(slots)),
        quota_(std::move(from)),
        invitation_(std::move(invitation)),
        from_(std::max<std::uint64_t>(request.from_version(), 1)),
        until_(request.to_version()) {}
  ~Show() override { --replays_.running_; }
  Show(const Show&) = delete;
  Show& operator=(const Show&) = delete;

  asio::awaitable<Expected<rpc::MessagePtr>> next() override {
    if (frames_.empty() && !end_) {
      // An operator looks at a game that somebody waits for.
      const auto urgency =
          invitation_.by_pass ? replay::Urgency::kSpectator : replay::Urgency::kEnded;
      auto more = co_await replay::run_aside(replays_.aside_, urgency, table_, play());
      if (!more) {
        end_ = std::unexpected(std::move(more.error()));
      } else if (!*more) {
        end_ = Expected<void>{};
      }
    }
    if (frames_.empty()) {
      if (!*end_) co_return std::unexpected(end_->error());
      co_return nullptr;
    }
    auto frame = std::move(frames_.front());
    frames_.pop_front();
    co_return frame;
  }

 private:
  /// Executes the log until limits::kReplayAhead frames are ready (true) or it ends (false). Runs
  /// on a thread of executions while `next` waits.
  asio::awaitable<Expected<bool>> play() {
    if (!execution_) {
      if (auto begun = co_await begin(); !begun) co_return std::unexpected(begun.error());
    }
    while (frames_.size() < limits::kReplayAhead) {
      const auto more = co_await execution_->read();
      if (!more) co_return std::unexpected(more.error());
      if (!*more) {
        if (auto there = is_there(); !there) co_return std::unexpected(there.error());
        co_return false;
      }
      while (execution_->has_next() && frames_.size() < limits::kReplayAhead) {
        if (auto played = advance(); !played) co_return std::unexpected(played.error());
      }
      co_await replay::give_way();
    }
    co_return true;
  }

  asio::awaitable<Expected<void>> begin() {
    const auto row = co_await history::watchable(replays_.table_rows_, table_, invitation_);
    if (!row) co_return std::unexpected(row.error());
    const auto options = codec::decode_table_options(row->options);
    if (!options) co_return std::unexpected(options.error());
    auto start = co_await replay::start_at(replays_.source_, table_, from_);
    if (!start) co_return std::unexpected(std::move(start.error()));
    if (auto charged = co_await directory::charge_execution(replays_.source_.log, table_, quota_,
                                                            start->version, until_);
        !charged) {
      co_return std::unexpected(std::move(charged.error()));
    }
    execution_.emplace(replays_.source_, table_, *options, std::move(*start), until_);
    if (execution_->now().version() == from_) add_snapshot();
    co_return Expected<void>{};
  }

  Expected<void> advance() {
    const auto& now = execution_->now();
    const bool shown = now.version() >= from_;
    const auto played = execution_->play(shown ? Want::kFrame : Want::kPosition);
    if (!played) return std::unexpected(played.error());
    if (shown) add(played->frame);
    if (now.version() == from_) add_snapshot();
    return {};
  }

  void add_snapshot() {
    const auto& now = execution_->now();
    add(now.match().snapshot(from_, now.at_ms(), now.clock(), base::Moment::logged(now.at_ms())));
  }

  void add(const std::string& frame) {
    auto message = std::make_shared<lobby::v1::ReplayResponse>();
    message->mutable_frame()->ParseFromString(frame);
    frames_.push_back(std::move(message));
  }

  /// kNotFound when the game ends before the first version that is wanted.
  [[nodiscard]] Expected<void> is_there() const {
    if (execution_->now().version() >= from_) return {};
    return refuse(ErrorCode::kNotFound,
                  "The game has " + std::to_string(execution_->now().version().value) +
                      " versions; there is no version " + std::to_string(from_.value) + ".");
  }

  Replays& replays_;
  const TableId table_;
  const quota::Slots slots_;
  const quota::QuotaPtr quota_;
  const history::Invitation invitation_;
  const Version from_;
  const Version until_;
  std::optional<replay::LogExecution> execution_;
  std::deque<rpc::MessagePtr> frames_;
  std::optional<Expected<void>> end_;  // when nothing more is made
};

Expected<rpc::StreamPtr> Replays::show(const lobby::v1::ReplayRequest& request, quota::Slots slots,
                                       quota::QuotaPtr from, history::Invitation invitation) {
  const auto table = rpc::table_id_of(request.table_id());
  if (!table) return std::unexpected(table.error());
  if (request.to_version() != 0 && request.to_version() < request.from_version()) {
    return refuse(ErrorCode::kInvalidArgument, "to_version must be 0, or not before from_version.");
  }
  if (running_++ >= quota::open_to(slots.of_stranger, limits::kReplaysMax)) {
    --running_;
    return refuse(ErrorCode::kResourceExhausted,
                  "Too many games are being shown; try again in a moment.");
  }
  return std::make_unique<Show>(*this, *table, request, std::move(slots), std::move(from),
                                std::move(invitation));
}

}  // namespace tesela::services
