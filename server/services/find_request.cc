#include "server/services/find_request.h"

#include <google/protobuf/util/time_util.h>

#include <chrono>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/bots/bots.h"
#include "server/games/games.h"
#include "server/tables/core/seat_command.h"

namespace tesela::services {
namespace {

std::unexpected<Error> invalid(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

Expected<store::Queue> read_queue(const lobby::v1::FindRequest& request) {
  const auto game = games::find_game(request.game());
  if (!game) return std::unexpected(game.error());
  auto config = (*game)->configure(request.has_config() ? &request.config() : nullptr);
  if (!config) return std::unexpected(config.error());
  if (config->seats < store::kSeatsMin) {
    return invalid(request.game() + " is a game for one: make a table instead.");
  }
  if (!lobby::v1::Mode_IsValid(request.mode())) {
    return invalid("mode " + std::to_string(request.mode()) + " is not known.");
  }
  return store::Queue{.game = request.game(),
                      .config = std::move(config->any),
                      .seats = config->seats,
                      .mode = request.mode() == lobby::v1::MODE_RANKED ? store::Mode::kRanked
                                                                       : store::Mode::kCasual};
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

Expected<store::BotWish> read_bots(const lobby::v1::BotFill& bots, const std::string& game) {
  using google::protobuf::util::TimeUtil;
  const std::int64_t after_ms = TimeUtil::DurationToMilliseconds(bots.after());
  if (after_ms < 0 || after_ms > std::chrono::milliseconds{limits::kBotFillTimeMax}.count()) {
    return invalid("bots.after must be from nothing to an hour, not " +
                   TimeUtil::ToString(bots.after()) + ".");
  }
  const auto strategies = bots::strategies_of_level(game, bots.level());
  if (!strategies) return std::unexpected(strategies.error());
  return store::BotWish{.after_ms = after_ms,
                        .level = static_cast<std::uint8_t>(strategies->front().description.level)};
}

}  // namespace

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
  if (const auto sound = tables::check_contribution(seeker.contribution); !sound) {
    return std::unexpected(sound.error());
  }
  return seeker;
}

}  // namespace tesela::services
