#include "server/directory/lobby/new_table.h"

#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/bots/bots.h"
#include "server/codec/table_options.h"
#include "server/directory/lobby/invite.h"
#include "server/games/games.h"
#include "server/replay/start_game.h"

namespace tesela::directory {
namespace {

std::unexpected<Error> wrong(std::string sentence) {
  return refuse(ErrorCode::kInvalidArgument, std::move(sentence));
}

/// Whether the options are valid for a table of so many seats.
Expected<void> check(const NewTable& wanted, const codec::TableOptions& options,
                     std::uint8_t seats) {
  if (options.ranked && seats == 1) {
    return wrong(
        "options.ranked is for games of several players; every game for one that is played without "
        "a hint counts among the best scores.");
  }
  if (options.clock.on() && seats == 1) {
    return wrong("options.clock is only for tables of several seats.");
  }
  if (options.practice && (seats > 1 || options.ranked || wanted.daily)) {
    return wrong("options.practice is for games that one plays alone, and not for the daily one.");
  }
  if (wanted.contribute_later && wanted.watch_only) {
    return wrong("contribute_later needs a seat: leave it or watch_only out.");
  }
  if (options.spectators_off && wanted.watch_only) {
    return wrong("With options.spectators_off nobody watches: leave watch_only out.");
  }
  if (!options.autoplay.empty()) {
    const auto known = bots::find_strategy(wanted.game, options.autoplay);
    if (!known) return std::unexpected(known.error());
  }
  if (options.bot_fill) {
    const auto bots = bots::strategies_of_level(wanted.game, options.bot_fill->level);
    if (!bots) return std::unexpected(bots.error());
  }
  return {};
}

/// Assigns requested seats first, then the owner's, then the others.
Expected<store::TableRow> with_first_seats(store::TableRow row, const NewTable& wanted) {
  std::vector<tables::SeatCommand> commands;
  const auto add_bots = [&](bool numbered) {
    for (const auto& bot : wanted.bots) {
      if (bot.seat.has_value() == numbered) commands.emplace_back(bot);
    }
  };
  add_bots(true);
  if (!wanted.watch_only) {
    commands.emplace_back(tables::TakeSeat{.player = wanted.owner,
                                           .name = wanted.owner_name,
                                           .seat = wanted.owner_seat,
                                           .contribution = wanted.contribution,
                                           .contribute_later = wanted.contribute_later});
  }
  add_bots(false);
  for (tables::TakeSeat player : wanted.players) {
    player.invite = row.invite;  // whoever makes the table for them has invited them
    commands.emplace_back(std::move(player));
  }
  for (const auto& command : commands) {
    auto seated = tables::apply(row, command);
    if (!seated) return seated;
    row = std::move(*seated);
  }
  return row;
}

Expected<store::TableRow> row_of(NewTable wanted) {
  const auto entry = games::find_game(wanted.game);
  if (!entry) return std::unexpected(entry.error());
  const auto configured = (*entry)->configure(wanted.config ? &*wanted.config : nullptr);
  if (!configured) return std::unexpected(configured.error());
  const auto options = codec::read(wanted.options);
  if (!options) return std::unexpected(options.error());
  if (auto fit = check(wanted, *options, configured->seats); !fit) {
    return std::unexpected(fit.error());
  }
  wanted.options = codec::known(wanted.options);
  wanted.options.set_autoplay(bots::autoplay_of(wanted.game, *options));
  wanted.options.set_matched(!wanted.players.empty());
  if (wanted.daily) wanted.options.set_ranked(true);
  const auto seed = wanted.daily ? wanted.daily->seed : base::random_seed();
  store::TableRow row{.id = wanted.id.value_or(base::random_id<TableId>()),
                      .game = wanted.game,
                      .config = configured->any,
                      .options = wanted.options.SerializeAsString(),
                      .owner = wanted.owner,
                      .invite = wanted.options.invite_only() ? random_invite() : std::string(),
                      .seed = std::string(seed.begin(), seed.end()),
                      .state = store::TableState::kOpen,
                      .seat_count = configured->seats,
                      .seats = {},
                      .epoch = Epoch{1},
                      .created_ms = base::unix_ms(),
                      .ending = {}};
  if (wanted.daily) row.daily = wanted.daily->day;
  return with_first_seats(std::move(row), wanted);
}

}  // namespace

Expected<PreparedTable> prepare(NewTable wanted) {
  auto row = row_of(std::move(wanted));
  if (!row) return std::unexpected(std::move(row.error()));
  PreparedTable prepared{.row = std::move(*row), .first_record = {}};
  if (prepared.row.state == store::TableState::kInPlay) {
    auto started = replay::start_game(prepared.row, prepared.row.created_ms);
    if (!started) return std::unexpected(std::move(started.error()));
    prepared.first_record = std::move(started->record);
    prepared.outcome = replay::end_if_over(prepared.row, *started->match, prepared.row.created_ms);
  }
  return prepared;
}

}  // namespace tesela::directory
