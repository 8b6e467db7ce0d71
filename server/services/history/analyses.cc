#include "server/services/history/analyses.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

#include "engine/core/rng.h"
#include "server/base/analysis_limits.h"
#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/line_limits.h"
#include "server/base/wake.h"
#include "server/bots/bots.h"
#include "server/codec/table_options.h"
#include "server/directory/execution_charge.h"
#include "server/execution/execution.h"
#include "server/games/codec_parts.h"
#include "server/history/game_record.h"
#include "server/replay/log_execution.h"

namespace tesela::services {

using boost::asio::awaitable;
using std::chrono::microseconds;

namespace {

/// A move that is to be judged.
struct Question {
  Version version;  // after it
  Seat seat;
  games::JudgeTask task;
};

/// What a bot thread has found.
class Found {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// The search has begun.
  void begin() {
    const std::lock_guard lock{mutex_};
    begun_ = std::chrono::steady_clock::now();
  }
  [[nodiscard]] std::optional<Time> begun() const {
    const std::lock_guard lock{mutex_};
    return begun_;
  }
  void set(games::Judgement judgement) {
    const std::lock_guard lock{mutex_};
    judgement_ = std::move(judgement);
  }
  [[nodiscard]] std::optional<games::Judgement> take() {
    const std::lock_guard lock{mutex_};
    return std::exchange(judgement_, std::nullopt);
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Time> begun_;
  std::optional<games::Judgement> judgement_;
};

/// Of all moves of a game up to `last`, for each.
microseconds effort_of_one(microseconds effort, Version last) {
  const auto moves = static_cast<std::int64_t>(
      std::clamp<std::uint64_t>(last.value - 1, 1, limits::kAnalysedMovesMax));
  return std::clamp<microseconds>(effort / moves, limits::kAnalysedTimeMin,
                                  limits::kAnalysedTimeMax);
}

/// The dice of a judgement: the same wherever and whenever the move is judged.
Rng dice_of(TableId table, Version version) {
  return Rng{base::sha256(std::to_string(table.value) + ' ' + std::to_string(version.value))};
}

void write(const games::JudgedMove& judged, const std::string& type_url,
           lobby::v1::JudgedMove& out) {
  out.mutable_move()->set_type_url(type_url);
  out.mutable_move()->set_value(judged.move);
  if (judged.value) out.set_value(*judged.value);
  if (!judged.gain.empty()) out.mutable_gain()->ParseFromString(judged.gain);
}

}  // namespace

class Analyses::Analysis final : public rpc::Stream {
 public:
  Analysis(Analyses& analyses, TableId table, quota::Slots slots, quota::QuotaPtr from,
           const boost::asio::any_io_executor& executor)
      : analyses_(analyses),
        table_(table),
        slots_(std::move(slots)),
        quota_(std::move(from)),
        wake_(executor) {}
  ~Analysis() override {
    stop_.request_stop();
    analyses_.open_.remove(*this);
  }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  // Any thread.
  void end(const Error& error) {
    {
      const std::lock_guard lock{mutex_};
      if (!end_) end_ = error;
    }
    wake_.notify();
  }

  awaitable<Expected<rpc::MessagePtr>> next() override {
    if (!begun_) {
      begun_ = true;
      if (auto begun = co_await executed(begin()); !begun) {
        co_return std::unexpected(std::move(begun.error()));
      }
    }
    if (kept_) co_return kept_message();
    if (sent_ == 0) co_return keep(about());
    if (!question_) {
      auto question = co_await executed(next_question());
      if (!question) co_return std::unexpected(std::move(question.error()));
      if (!*question) {
        if (made_bytes_ <= limits::kAnalysisKeptBytes) {
          auto whole = std::make_shared<const std::vector<std::string>>(std::move(made_));
          analyses_.cache_.keep(table_, std::move(whole), made_bytes_);
        }
        co_return nullptr;
      }
      if (auto asked = ask(**question); !asked) co_return std::unexpected(std::move(asked.error()));
      question_ = std::move(*question);
    }
    auto judgement = co_await judged();
    if (!judgement) co_return std::unexpected(std::move(judgement.error()));
    if (!*judgement) co_return std::make_shared<lobby::v1::AnalyseResponse>();
    auto message = message_of(*question_, **judgement);
    question_.reset();
    co_return keep(std::move(message));
  }

 private:
  /// Runs `work` on a thread of executions, after what people who play wait for.
  template <class T>
  awaitable<Expected<T>> executed(awaitable<Expected<T>> work) {
    return replay::run_aside(analyses_.parts_.aside, replay::Urgency::kEnded, table_,
                             std::move(work));
  }

  /// Reads what the analysis begins with, or finds that it is kept. On a thread of executions, as
  /// next_question.
  awaitable<Expected<void>> begin() {
    history::Invitation none;
    const auto row =
        co_await history::watchable(analyses_.parts_.table_rows, table_, std::move(none));
    if (!row) co_return std::unexpected(row.error());
    if (row->state != store::TableState::kOver && row->state != store::TableState::kClosed) {
      co_return refuse(ErrorCode::kNotOver, "A game is analysed once it is over.");
    }
    kept_ = analyses_.cache_.find(table_);
    if (kept_) co_return Expected<void>{};
    store::EventReader& log = analyses_.parts_.source.log;
    const auto last = co_await log.last(table_);
    if (!last) co_return std::unexpected(last.error());
    if (!*last) {
      co_return refuse(ErrorCode::kNotStarted,
                       "The game has not begun: there is nothing to analyse.");
    }
    last_ = (*last)->version;
    auto charged = co_await directory::charge_execution(log, table_, quota_);
    if (!charged) co_return std::unexpected(std::move(charged.error()));
    co_return co_await prepare(*row);
  }

  awaitable<Expected<void>> prepare(store::TableRow row) {
    const auto options = codec::decode_table_options(row.options);
    if (!options) co_return std::unexpected(options.error());
    execution_.emplace(analyses_.parts_.source, table_, *options, replay::Start{}, Version{});
    judge_ = bots::strongest_strategy(row.game).description;
    co_return Expected<void>{};
  }

  [[nodiscard]] bool judges() const { return judge_.mistake > 0; }

  rpc::MessagePtr about() const {
    auto message = std::make_shared<lobby::v1::AnalyseResponse>();
    auto& out = *message->mutable_about();
    out.set_last_version(last_.value);
    out.set_strategy(std::string(judge_.name));
    if (judges()) out.set_measure(std::string(judge_.measure));
    out.set_mistake(judge_.mistake);
    return message;
  }

  /// Executes the log up to the next move, which it gives; empty at the end of what is analysed.
  awaitable<Expected<std::optional<Question>>> next_question() {
    std::optional<Question> question;
    while (!question && judges() && sent_ <= limits::kAnalysedMovesMax) {
      const auto more = co_await execution_->read();
      if (!more) co_return std::unexpected(more.error());
      if (!*more) break;
      auto asked = question_about(execution_->next_record());
      if (!asked) co_return std::unexpected(std::move(asked.error()));
      const auto played = execution_->play(games::Want::kPosition);
      if (!played) co_return std::unexpected(played.error());
      question = std::move(*asked);
    }
    co_return question;
  }

  /// Empty for what is no move.
  [[nodiscard]] Expected<std::optional<Question>> question_about(
      const codec::Record& record) const {
    const auto* moved = std::get_if<codec::Moved>(&record.event);
    if (moved == nullptr) return std::nullopt;
    const execution::Execution& now = execution_->now();
    auto task =
        now.match().judge_task(judge_.name, moved->seat, moved->move, limits::kAnalysedBestMax,
                               effort_of_one(analyses_.parts_.effort, last_));
    if (!task) return std::unexpected(std::move(task.error()));
    return Question{
        .version = tesela::next(now.version()), .seat = moved->seat, .task = std::move(*task)};
  }

  /// Has a bot thread judge the move.
  Expected<void> ask(Question& question) {
    found_ = std::make_shared<Found>();
    const bool asked = analyses_.parts_.bots.ask(
        {.search =
             [task = std::move(question.task), dice = dice_of(table_, question.version),
              found = found_, wake = wake_](Rng& /*rng*/, const Budget& budget) mutable {
               found->begin();
               wake.notify();
               // A search that a clock ends has tried fewer nodes than it has elsewhere.
               found->set(task(dice, {.stop = budget.stop}));
               return games::BotReply{};
             },
         .stop = stop_.get_token(),
         .urgency = bots::BotThreads::Urgency::kAnalysis,
         .answer = [wake = wake_](const games::BotReply& /*none*/) mutable { wake.notify(); }});
    if (asked) return {};
    return refuse(ErrorCode::kResourceExhausted, "The server is busy; ask again later.");
  }

  /// Waits for a bot thread; empty when that takes long.
  awaitable<Expected<std::optional<games::Judgement>>> judged() {
    using Clock = std::chrono::steady_clock;
    const auto quiet_until = Clock::now() + limits::kStreamQuietMax;
    while (true) {
      if (auto judgement = found_->take()) co_return std::move(judgement);
      if (auto error = ended()) co_return std::unexpected(std::move(*error));
      auto until = quiet_until;
      if (const auto begun = found_->begun()) {
        const auto end = *begun + analyses_.parts_.time_max;
        if (Clock::now() >= end) {
          stop_.request_stop();
          co_return refuse(ErrorCode::kResourceExhausted, "The server is busy; ask again later.");
        }
        until = std::min(until, end);
      }
      if (!co_await wake_.wait(until) && until == quiet_until) co_return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<Error> ended() {
    const std::lock_guard lock{mutex_};
    return end_;
  }

  [[nodiscard]] rpc::MessagePtr message_of(const Question& question,
                                           const games::Judgement& judgement) const {
    auto message = std::make_shared<lobby::v1::AnalyseResponse>();
    auto& out = *message->mutable_move();
    const std::string url = games::type_url_of(execution_->now().match().move_type());
    out.set_version(question.version.value);
    out.set_seat(question.seat.value);
    write(judgement.played, url, *out.mutable_played());
    for (const auto& judged : judgement.best) write(judged, url, *out.add_best());
    return message;
  }

  /// Encoded, because messages in memory take several times as much.
  rpc::MessagePtr keep(rpc::MessagePtr message) {
    ++sent_;
    made_bytes_ += message->ByteSizeLong();
    if (made_bytes_ <= limits::kAnalysisKeptBytes) {
      made_.push_back(message->SerializeAsString());
    } else {
      made_ = {};
    }
    return message;
  }

  /// The next one; null after the last.
  rpc::MessagePtr kept_message() {
    if (sent_ == kept_->size()) return nullptr;
    auto message = std::make_shared<lobby::v1::AnalyseResponse>();
    message->ParseFromString((*kept_)[sent_++]);
    return message;
  }

  Analyses& analyses_;
  const TableId table_;
  const quota::Slots slots_;
  const quota::QuotaPtr quota_;
  base::Wake wake_;
  std::stop_source stop_;             // of the search under way
  std::optional<Question> question_;  // that is being judged
  std::shared_ptr<Found> found_;      // of it
  bool begun_ = false;
  std::shared_ptr<const std::vector<std::string>> kept_;
  std::size_t sent_ = 0;           // messages
  std::vector<std::string> made_;  // without `kept_`: what was sent, if it is not too much to keep
  std::size_t made_bytes_ = 0;     // of all that was sent
  Version last_;
  Description judge_;
  std::optional<replay::LogExecution> execution_;
  std::mutex mutex_;
  std::optional<Error> end_;  // under `mutex_`
};

Analyses::Analyses(Parts parts)
    : parts_(parts),
      open_({.most = limits::kAnalysesMax,
             .full = "Too many games are being analysed; try again in a moment.",
             .stopping = "The server is stopping; ask again soon."}) {}

Analyses::~Analyses() = default;

void Analyses::drain() {
  open_.drain();
}

Expected<rpc::StreamPtr> Analyses::analyse(const lobby::v1::AnalyseRequest& request,
                                           quota::Slots slots, quota::QuotaPtr from,
                                           const boost::asio::any_io_executor& executor) {
  const auto table = rpc::table_id_of(request.table_id());
  if (!table) return std::unexpected(table.error());
  const bool stranger = slots.of_stranger;
  auto analysis =
      std::make_unique<Analysis>(*this, *table, std::move(slots), std::move(from), executor);
  if (auto added = open_.add(*analysis, stranger); !added)
    return std::unexpected(std::move(added.error()));
  return analysis;
}

}  // namespace tesela::services
