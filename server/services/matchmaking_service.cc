#include "server/services/matchmaking_service.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/base/line_limits.h"
#include "server/base/wake.h"
#include "server/bots/bots.h"
#include "server/directory/lobby/table_proto.h"
#include "server/games/fair.h"
#include "server/games/games.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;

std::unexpected<Error> invalid(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

Expected<matchmaking::Pace> read_pace(lobby::v1::Pace pace) {
  switch (pace) {
    case lobby::v1::PACE_UNSPECIFIED:
    case lobby::v1::PACE_NORMAL:
      return matchmaking::Pace::kNormal;
    case lobby::v1::PACE_QUICK:
      return matchmaking::Pace::kQuick;
    case lobby::v1::PACE_DAYS:
      return matchmaking::Pace::kDays;
    default:
      return invalid("pace " + std::to_string(pace) + " is not known.");
  }
}

Expected<matchmaking::Queue> read_queue(const lobby::v1::FindRequest& request) {
  const auto game = games::find_game(request.game());
  if (!game) return std::unexpected(game.error());
  auto config = (*game)->configure(request.has_config() ? &request.config() : nullptr);
  if (!config) return std::unexpected(config.error());
  if (config->seats < matchmaking::kSeatsMin) {
    return invalid(request.game() + " is a game for one: make a table instead.");
  }
  if (!lobby::v1::Mode_IsValid(request.mode())) {
    return invalid("mode " + std::to_string(request.mode()) + " is not known.");
  }
  const auto pace = read_pace(request.pace());
  if (!pace) return std::unexpected(pace.error());
  return matchmaking::Queue{.game = request.game(),
                            .config = std::move(config->any),
                            .seats = config->seats,
                            .mode = request.mode() == lobby::v1::MODE_RANKED
                                        ? matchmaking::Mode::kRanked
                                        : matchmaking::Mode::kCasual,
                            .pace = *pace};
}

Expected<void> check(const lobby::v1::Party& party, std::size_t seats) {
  const std::size_t bytes = party.code().size();
  if (bytes < limits::kPartyCodeBytesMin || bytes > limits::kPartyCodeBytesMax) {
    return invalid("party.code must be " + std::to_string(limits::kPartyCodeBytesMin) + " to " +
                   std::to_string(limits::kPartyCodeBytesMax) + " bytes, not " +
                   std::to_string(bytes) + ".");
  }
  if (party.size() < 2 || party.size() > seats) {
    return invalid("party.size must be 2 to " + std::to_string(seats) +
                   ", as many as there are seats, not " + std::to_string(party.size()) + ".");
  }
  return {};
}

Expected<matchmaking::BotWish> read_bots(const lobby::v1::BotFill& bots, const std::string& game) {
  const std::int64_t after_ms = TimeUtil::DurationToMilliseconds(bots.after());
  if (after_ms < 0 || after_ms > std::chrono::milliseconds{limits::kBotFillTimeMax}.count()) {
    return invalid("bots.after must be from nothing to an hour, not " +
                   TimeUtil::ToString(bots.after()) + ".");
  }
  const auto strategies = bots::strategies_of_level(game, bots.level());
  if (!strategies) return std::unexpected(strategies.error());
  return matchmaking::BotWish{
      .after_ms = after_ms,
      .level = static_cast<std::uint8_t>(strategies->front().description.level)};
}

/// The search that a request asks for. Errors: kInvalidArgument.
Expected<matchmaking::Seeker> read_seeker(const lobby::v1::FindRequest& request,
                                          accounts::Identity player) {
  auto queue = read_queue(request);
  if (!queue) return std::unexpected(std::move(queue.error()));
  matchmaking::Seeker seeker{.player = player.player,
                             .name = std::move(player.display_name),
                             .queue = std::move(*queue),
                             .contribution = request.contribution(),
                             .contribute_later = request.contribute_later()};
  if (seeker.contribute_later && !seeker.contribution.empty()) {
    return invalid("Either contribution or contribute_later: a player adds to the dice once.");
  }
  if (request.has_party()) {
    if (const auto sound = check(request.party(), seeker.queue.seats); !sound) {
      return std::unexpected(sound.error());
    }
    seeker.party = request.party().code();
    seeker.party_size = request.party().size();
  }
  if (request.has_bots()) {
    const auto bots = read_bots(request.bots(), request.game());
    if (!bots) return std::unexpected(bots.error());
    seeker.bots = *bots;
  }
  if (const auto sound = games::check_contribution(seeker.contribution); !sound) {
    return std::unexpected(sound.error());
  }
  return seeker;
}

/// Carries the news of a search from the matcher's thread to the call. Only the newest is kept.
class News final : public matchmaking::Search {
 public:
  News(matchmaking::Seeker seeker, const boost::asio::any_io_executor& executor)
      : Search(std::move(seeker)), wake_(executor) {}

  void searching(const matchmaking::SearchNews& news) override {
    auto message = std::make_shared<lobby::v1::FindResponse>();
    lobby::v1::Searching& out = *message->mutable_searching();
    out.set_position(static_cast<std::uint32_t>(news.position));
    out.set_party_present(static_cast<std::uint32_t>(news.present.size()));
    if (!seeker().party.empty()) {
      for (const auto& one : news.present) out.add_party_names(one->seeker().name);
    }
    if (news.estimate_ms) {
      *out.mutable_estimate() = TimeUtil::MillisecondsToDuration(*news.estimate_ms);
    }
    tell(std::move(message), std::nullopt);
  }

  void matched(const store::TableRow& table) override {
    auto message = std::make_shared<lobby::v1::FindResponse>();
    lobby::v1::Matched& out = *message->mutable_matched();
    *out.mutable_table() = directory::to_proto(table);
    const auto seat = std::ranges::find(table.seats, seeker().player, &store::SeatRow::player);
    out.set_seat(seat->seat.value);
    tell(std::move(message), Expected<void>{});
  }

  void failed(const Error& error) override { tell(nullptr, std::unexpected(error)); }

  /// For the call's coroutine.
  awaitable<Expected<rpc::MessagePtr>> next() {
    const auto quiet_until = std::chrono::steady_clock::now() + limits::kStreamQuietMax;
    for (;;) {
      {
        const std::lock_guard lock{mutex_};
        if (newest_) co_return last_ = std::exchange(newest_, nullptr);
        if (end_ && !*end_) co_return std::unexpected(end_->error());
        if (end_) co_return nullptr;
      }
      const bool woken = co_await wake_.wait(quiet_until);
      if (!woken) co_return last_;
    }
  }

 private:
  // The first end counts.
  void tell(rpc::MessagePtr message, std::optional<Expected<void>> end) {
    {
      const std::lock_guard lock{mutex_};
      if (end_) return;
      newest_ = std::move(message);
      end_ = std::move(end);
    }
    wake_.notify();
  }

  base::Wake wake_;
  rpc::MessagePtr last_ = std::make_shared<lobby::v1::FindResponse>();  // that was sent
  std::mutex mutex_;
  rpc::MessagePtr newest_;  // from here on guarded by `mutex_`
  std::optional<Expected<void>> end_;
};

/// The stream of a call of Find. Its destruction ends the search.
class Finding final : public rpc::Stream {
 public:
  Finding(matchmaking::Matcher& matcher, std::shared_ptr<News> news, bool to_be_relayed)
      : matcher_(matcher), news_(std::move(news)), to_be_relayed_(to_be_relayed) {
    matcher_.add(news_);
  }
  ~Finding() override { matcher_.remove(news_); }
  Finding(const Finding&) = delete;
  Finding& operator=(const Finding&) = delete;

  awaitable<Expected<rpc::MessagePtr>> next() override {
    auto message = co_await news_->next();
    const bool moved = !message && message.error().code == ErrorCode::kFenced;
    if (moved && !to_be_relayed_) message.error().code = ErrorCode::kUnavailable;
    co_return message;
  }

 private:
  matchmaking::Matcher& matcher_;
  const std::shared_ptr<News> news_;
  const bool to_be_relayed_;
};

}  // namespace

std::vector<rpc::Method> MatchmakingService::methods() {
  return rpc::methods_of("tesela.lobby.v1.MatchmakingService",
                         {rpc::method_by(*this, &MatchmakingService::find)});
}

std::vector<rpc::Method> MatchmakingService::methods_for_relays() {
  return rpc::methods_of("tesela.lobby.v1.MatchmakingService",
                         {rpc::method_by(*this, &MatchmakingService::find_for_relays)});
}

awaitable<Expected<rpc::StreamPtr>> MatchmakingService::find(lobby::v1::FindRequest request,
                                                             rpc::Caller caller) {
  return begin(std::move(request), std::move(caller), /*to_be_relayed=*/false);
}

awaitable<Expected<rpc::StreamPtr>> MatchmakingService::find_for_relays(
    lobby::v1::FindRequest request, rpc::Caller caller) {
  return begin(std::move(request), std::move(caller), /*to_be_relayed=*/true);
}

Expected<std::shared_ptr<quota::Slots>> MatchmakingService::hold(const rpc::Caller& caller) const {
  const auto identity = parts_.tokens.verify(caller.token);
  if (!identity) return std::unexpected(identity.error());
  return parts_.live_tables.hold(parts_.admission, caller.quota, identity->player);
}

awaitable<Expected<rpc::StreamPtr>> MatchmakingService::begin(lobby::v1::FindRequest request,
                                                              rpc::Caller caller,
                                                              bool to_be_relayed) {
  auto identity = parts_.tokens.verify(caller.token);
  if (!identity) co_return std::unexpected(std::move(identity.error()));
  if (auto may = parts_.tokens.acts().may_seek(identity->player); !may) {
    co_return std::unexpected(std::move(may.error()));
  }
  const bool of_issuer = identity->of_issuer;
  auto seeker = admit(request, caller, std::move(*identity));
  if (!seeker) co_return std::unexpected(std::move(seeker.error()));
  if (of_issuer) {
    // The seat of a table refers to the stored player.
    const auto stored = co_await parts_.players.admit(std::move(caller.token), caller.quota);
    if (!stored) co_return std::unexpected(stored.error());
  }
  const auto executor = co_await boost::asio::this_coro::executor;
  auto news = std::make_shared<News>(std::move(*seeker), executor);
  co_return std::make_unique<Finding>(parts_.matcher, std::move(news), to_be_relayed);
}

Expected<matchmaking::Seeker> MatchmakingService::admit(const lobby::v1::FindRequest& request,
                                                        const rpc::Caller& caller,
                                                        accounts::Identity player) const {
  auto seeker = read_seeker(request, std::move(player));
  if (!seeker) return seeker;
  if (!caller.counted) {
    if (auto counted = parts_.admission.count_table(caller.quota, seeker->player); !counted) {
      return std::unexpected(std::move(counted.error()));
    }
  }
  auto slots = parts_.live_tables.hold(parts_.admission, caller.quota, seeker->player);
  if (!slots) return std::unexpected(std::move(slots.error()));
  seeker->slots = std::move(*slots);
  seeker->began = caller.began.value_or(std::chrono::steady_clock::now());
  return seeker;
}

}  // namespace tesela::services
