#include "server/history/game_record.h"

#include <tesela/play/v1/course.pb.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "server/base/crypto.h"
#include "server/codec/record.h"
#include "server/codec/table_options.h"
#include "server/directory/lobby/table_proto.h"
#include "server/games/codec_parts.h"
#include "server/games/games.h"
#include "server/replay/game_outcome.h"
#include "server/replay/records.h"
#include "server/replay/start_game.h"

namespace tesela::history {
namespace {

using boost::asio::awaitable;

/// Adds the seeds, which are secret until the game is over.
void reveal(const store::TableRow& table, const codec::Created& created,
            lobby::v1::GameRecord& record) {
  if (table.state != store::TableState::kOver && table.state != store::TableState::kClosed) return;
  record.set_server_seed(table.seed);
  record.set_game_seed(created.seed.data(), created.seed.size());
}

std::unexpected<Error> not_begun() {
  return refuse(ErrorCode::kNotStarted,
                "The game has not begun: there is nothing to look back at.");
}

/// A game in play may be read only if it may be watched.
bool shown(const store::TableRow& table, std::string_view invite) {
  if (table.state != store::TableState::kInPlay) return true;
  const auto options = codec::decode_table_options(table.options);
  const bool invited = table.invite.empty() || base::same_secret(invite, table.invite);
  return invited && options && !options->spectators_off;
}

void add(const codec::Record& record, Version version, const store::TableRow& table,
         std::string_view move_type, lobby::v1::GameRecord& into) {
  if (const auto* created = std::get_if<codec::Created>(&record.event)) {
    into.set_dealt_at_ms(record.at_ms);
    into.set_first_digest(record.digest);
    reveal(table, *created, into);
    return;
  }
  auto& move = *into.add_moves();
  move.set_version(version.value);
  move.set_at_ms(record.at_ms);
  move.set_digest(record.digest);
  if (const auto* moved = std::get_if<codec::Moved>(&record.event)) {
    move.set_seat(moved->seat.value);
    move.set_move_id(moved->move_id);
    move.set_strategy(moved->strategy);
    move.mutable_move()->set_type_url(games::type_url_of(move_type));
    move.mutable_move()->set_value(moved->move);
    move.set_spent_ms(moved->spent_ms);
    move.set_timed_out(moved->timed_out);
  } else if (const auto* resigned = std::get_if<codec::Resigned>(&record.event)) {
    move.set_seat(resigned->seat.value);
    move.set_move_id(resigned->move_id);
    play::v1::Resigned body;
    if (resigned->claimed_by) body.set_claimed_by(resigned->claimed_by->value);
    move.mutable_move()->PackFrom(body);
  } else {
    const auto& undone = std::get<codec::Undone>(record.event);
    move.set_move_id(undone.move_id);
    play::v1::Undone body;
    body.set_to_version(undone.to.value);
    move.mutable_move()->PackFrom(body);
  }
}

}  // namespace

awaitable<Expected<store::TableRow>> watchable(store::TableRows& table_rows, TableId id,
                                               Invitation invitation) {
  auto table = co_await table_rows.table(id);
  if (!table) co_return table;
  // The record of a finished daily game has its seeds.
  if (!invitation.by_pass || table->state != store::TableState::kInPlay) {
    if (auto allowed = replay::check_shown(*table); !allowed) {
      co_return std::unexpected(std::move(allowed.error()));
    }
  }
  if (!invitation.by_pass && !shown(*table, invitation.invite)) {
    co_return refuse(ErrorCode::kNoSpectators,
                     "This game is shown to its players alone until it is over.");
  }
  if (table->state == store::TableState::kOpen) co_return not_begun();
  co_return table;
}

awaitable<Expected<lobby::v1::GameRecord>> read_record(store::EventReader& log,
                                                       store::TableRows& table_rows, TableId id,
                                                       Invitation invitation) {
  const auto table = co_await watchable(table_rows, id, std::move(invitation));
  if (!table) co_return std::unexpected(table.error());
  const auto game = games::find_game(table->game);
  if (!game) co_return std::unexpected(game.error());
  lobby::v1::GameRecord record;
  *record.mutable_table() = directory::to_proto(*table);
  record.set_config(record.table().config().value());
  for (const auto& contribution : replay::contributions_of(*table)) {
    auto& added = *record.add_contributions();
    added.set_seat(contribution.seat.value);
    added.set_bytes(contribution.bytes);
  }
  replay::Records records(log, id, Version{});
  for (;;) {
    const auto read = co_await records.read();
    if (!read) co_return std::unexpected(read.error());
    if (!*read) break;
    add(**read, records.version(), *table, (*game)->move_type, record);
  }
  // A table that was closed while it waited for players.
  if (records.version() == Version{}) co_return not_begun();
  co_return record;
}

}  // namespace tesela::history
