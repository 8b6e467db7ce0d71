#include "server/codec/table_options.h"

#include <tesela/lobby/v1/table_options.pb.h>

#include "server/base/limits.h"

namespace tesela::codec {
namespace {

using std::chrono::milliseconds;

/// Refuses a value outside `min` to `max`, but for 0, which means no limit.
Expected<milliseconds> time_of(std::string_view name, std::uint32_t ms, milliseconds min,
                               milliseconds max) {
  const milliseconds time{ms};
  if (ms == 0 || (min <= time && time <= max)) return time;
  return refuse(ErrorCode::kInvalidArgument,
                "options." + std::string(name) + " must be " + std::to_string(min.count()) +
                    " to " + std::to_string(max.count()) + ", not " + std::to_string(ms) + ".");
}

Expected<games::ClockRules> read(const lobby::v1::ClockRules& clock) {
  const auto move = time_of("clock.move_ms", clock.move_ms(), limits::kClockMin, limits::kClockMax);
  if (!move) return std::unexpected(move.error());
  const auto game = time_of("clock.game_ms", clock.game_ms(), limits::kClockMin, limits::kClockMax);
  if (!game) return std::unexpected(game.error());
  const auto increment = time_of("clock.increment_ms", clock.increment_ms(), milliseconds{0},
                                 limits::kClockIncrementMax);
  if (!increment) return std::unexpected(increment.error());
  const games::ClockRules rules{.move = *move, .game = *game, .increment = *increment};
  if (!rules.on()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "options.clock needs a limit: move_ms, game_ms or both.");
  }
  if (rules.increment.count() > 0 && rules.game.count() == 0) {
    return refuse(ErrorCode::kInvalidArgument,
                  "options.clock.increment_ms adds to game_ms, which is not given.");
  }
  return rules;
}

Expected<Talk> read(lobby::v1::Talk talk) {
  switch (talk) {
    case lobby::v1::TALK_UNSPECIFIED:
    case lobby::v1::TALK_FREE:
      return Talk::kFree;
    case lobby::v1::TALK_PHRASES:
      return Talk::kPhrases;
    case lobby::v1::TALK_OFF:
      return Talk::kOff;
    default:
      return refuse(ErrorCode::kInvalidArgument,
                    "options.talk must be TALK_FREE, TALK_PHRASES or TALK_OFF.");
  }
}

}  // namespace

Expected<TableOptions> read(const lobby::v1::TableOptions& options) {
  TableOptions out{.ranked = options.ranked(),
                   .autoplay = options.autoplay(),
                   .timeouts_max = limits::kTimeoutsDefault,
                   .invite_only = options.invite_only(),
                   .spectators_off = options.spectators_off(),
                   .practice = options.practice(),
                   .matched = options.matched()};
  if (options.has_bot_pace_ms()) {
    const auto pace =
        time_of("bot_pace_ms", options.bot_pace_ms(), milliseconds{0}, limits::kBotPaceMax);
    if (!pace) return std::unexpected(pace.error());
    out.bot_pace = *pace;
  }
  if (options.has_clock()) {
    const auto clock = read(options.clock());
    if (!clock) return std::unexpected(clock.error());
    out.clock = *clock;
  }
  if (options.has_timeouts_max()) {
    out.timeouts_max = options.timeouts_max();
    if (out.timeouts_max < 1 || out.timeouts_max > limits::kTimeoutsMax) {
      return refuse(ErrorCode::kInvalidArgument,
                    "options.timeouts_max must be 1 to " + std::to_string(limits::kTimeoutsMax) +
                        ", not " + std::to_string(out.timeouts_max) + ".");
    }
  }
  const auto talk = read(options.talk());
  if (!talk) return std::unexpected(talk.error());
  out.talk = *talk;
  if (options.has_bots_after_ms()) {
    const auto time =
        time_of("bots_after_ms", options.bots_after_ms(), milliseconds{0}, limits::kBotFillTimeMax);
    if (!time) return std::unexpected(time.error());
    out.bot_fill = BotFill{.after = *time, .level = options.bot_level()};
  } else if (options.bot_level() != 0) {
    return refuse(ErrorCode::kInvalidArgument,
                  "options.bot_level is of the bots that come after bots_after_ms: set both.");
  }
  return out;
}

lobby::v1::TableOptions known(const lobby::v1::TableOptions& options) {
  lobby::v1::TableOptions known = options;
  known.DiscardUnknownFields();
  return known;
}

Expected<TableOptions> decode_table_options(std::string_view bytes) {
  lobby::v1::TableOptions options;
  if (!options.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse(ErrorCode::kCorrupt, "The table's options cannot be read.");
  }
  return read(options);
}

}  // namespace tesela::codec
