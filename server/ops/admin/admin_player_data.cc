#include "server/ops/admin/admin_player_data.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
#include "server/directory/lobby/table_proto.h"
#include "server/ops/admin/admin_moderation.h"
#include "server/ops/admin/admin_proto.h"
#include "server/services/account_service.h"
#include "server/services/conduct/conduct_proto.h"
#include "server/services/friends/friend_proto.h"
#include "server/services/notifications/notification_service.h"
#include "server/services/page_token.h"
#include "server/services/profile_service.h"

namespace tesela::ops {
namespace {

namespace pb = admin::v1;
using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;

// A page token is kScores and the last board's id, or kTables and the token of a list of tables.
constexpr char kScores = 's';
constexpr char kTables = 't';

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number >> 63U != 0) {
    return std::nullopt;
  }
  return number;
}

store::TableFilter tables_of(PlayerId player) {
  return {.game = {}, .state = {}, .player = player, .private_too = true};
}

pb::PlayerTable to_proto(const store::TableRow& row, PlayerId player) {
  pb::PlayerTable table;
  *table.mutable_table() = directory::to_proto(row, player);
  const auto seat = std::ranges::find(row.seats, player, &store::SeatRow::player);
  if (seat == row.seats.end()) return table;
  table.set_seat(seat->seat.value);
  table.set_contribution(seat->contribution);
  return table;
}

pb::PlayerScore to_proto(const store::ScoreLine& line) {
  pb::PlayerScore score;
  *score.mutable_board() = history::to_proto(line.board);
  score.set_points(line.points);
  *score.mutable_reached_at() = TimeUtil::MillisecondsToTimestamp(line.at_ms);
  score.set_table_id(base::to_text(line.table));
  return score;
}

}  // namespace

awaitable<AdminPlayerData::Page> AdminPlayerData::page(PlayerId player, std::string page_token) {
  if (page_token.empty()) co_return co_await account(player);
  const std::string rest = page_token.substr(1);
  if (page_token.front() == kTables) co_return co_await tables(player, rest);
  const auto after = number_in(rest);
  if (page_token.front() != kScores || !after) co_return services::bad_page_token();
  co_return co_await scores(player, *after);
}

awaitable<AdminPlayerData::Page> AdminPlayerData::account(PlayerId player) {
  const auto row = co_await parts_.store.player(player);
  if (!row) co_return std::unexpected(row.error());
  pb::ExportPlayerResponse page;
  pb::PlayerAccount& account = *page.mutable_account();
  *account.mutable_player() = ops::to_proto(*row);
  account.set_kind(static_cast<pb::AccountKind>(row->kind));
  account.set_identity(row->identity);
  if (row->erased_ms) {
    *account.mutable_erased_at() = TimeUtil::MillisecondsToTimestamp(*row->erased_ms);
  }
  const auto sessions = co_await parts_.accounts.sessions(player, 0);
  if (!sessions) co_return std::unexpected(sessions.error());
  for (const store::SessionRow& session : *sessions) {
    *page.add_sessions() = services::to_proto(session, {});
  }
  const auto credentials = co_await parts_.accounts.credentials(player);
  if (!credentials) co_return std::unexpected(credentials.error());
  for (const store::CredentialRow& credential : *credentials) {
    *page.add_credentials() = services::to_proto(credential);
  }
  if (auto added = co_await add_ratings(player, page); !added) {
    co_return std::unexpected(std::move(added.error()));
  }
  auto profile = co_await services::profile_of({parts_.store, parts_.profiles}, *row);
  if (!profile) co_return std::unexpected(std::move(profile.error()));
  *page.mutable_profile() = std::move(*profile);
  if (auto added = co_await add_conduct(player, page); !added) {
    co_return std::unexpected(std::move(added.error()));
  }
  const std::int64_t now_ms = base::unix_ms();
  const auto kept = co_await parts_.profiles.kept_handles(player, now_ms);
  if (!kept) co_return std::unexpected(kept.error());
  for (const store::KeptHandle& each : *kept) {
    pb::KeptHandle& handle = *page.add_kept_handles();
    handle.set_handle(each.handle);
    *handle.mutable_kept_until() = TimeUtil::MillisecondsToTimestamp(each.kept_until_ms);
  }
  auto friends = co_await parts_.friends.friends(player);
  if (!friends) co_return std::unexpected(std::move(friends.error()));
  // Where others are is not the player's to know for ever.
  for (store::FollowedPlayer& followed : friends->follows) followed.hidden = true;
  *page.mutable_friends()->mutable_lists() = services::to_proto(*friends, now_ms);
  const auto challenges = co_await parts_.friends.challenges(player, now_ms);
  if (!challenges) co_return std::unexpected(challenges.error());
  *page.mutable_friends()->mutable_challenges() = services::to_proto(*challenges, player);
  const auto told = co_await parts_.notices.notifications(player);
  if (!told) co_return std::unexpected(told.error());
  *page.mutable_notifications() = services::to_proto(*told);
  page.set_next_page_token(std::string{kScores} + "0");
  co_return page;
}

awaitable<Expected<void>> AdminPlayerData::add_conduct(PlayerId player,
                                                       pb::ExportPlayerResponse& page) {
  const auto acts = co_await parts_.moderation.acts(player, limits::kActsShown);
  if (!acts) co_return std::unexpected(acts.error());
  pb::PlayerConduct& conduct = *page.mutable_conduct();
  for (const store::ActRow& act : *acts) *conduct.add_acts() = ops::to_proto(act);
  // Who has reported the player is not the player's to know.
  const auto reports = co_await parts_.moderation.reports(store::ReportList::kByPlayer, player,
                                                          std::nullopt, limits::kPageMax);
  if (!reports) co_return std::unexpected(reports.error());
  for (const store::ReportRow& report : *reports) *conduct.add_reports() = ops::to_proto(report);
  const auto lines = co_await parts_.moderation.lines_of(player, limits::kPageMax);
  if (!lines) co_return std::unexpected(lines.error());
  for (const store::ReportLine& line : *lines) *conduct.add_said() = services::to_proto(line);
  co_return Expected<void>{};
}

awaitable<AdminPlayerData::Page> AdminPlayerData::scores(PlayerId player, std::uint64_t after) {
  const auto lines = co_await parts_.personal.scores(player, after, limits::kPageMax);
  if (!lines) co_return std::unexpected(lines.error());
  pb::ExportPlayerResponse page;
  for (const store::ScoreLine& line : *lines) *page.add_scores() = to_proto(line);
  const bool full = lines->size() == limits::kPageMax;
  page.set_next_page_token(full ? std::string{kScores} + std::to_string(lines->back().id)
                                : std::string{kTables});
  co_return page;
}

awaitable<AdminPlayerData::Page> AdminPlayerData::tables(PlayerId player, std::string page_token) {
  const auto start = services::table_page_start(page_token);
  if (!start) co_return std::unexpected(start.error());
  auto filter = tables_of(player);
  auto rows = co_await parts_.store.tables(std::move(filter), *start, limits::kPageMax + 1);
  if (!rows) co_return std::unexpected(std::move(rows.error()));
  pb::ExportPlayerResponse page;
  std::string next = services::cut_page(*rows, limits::kPageMax);
  services::PageRoom room;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    auto table = to_proto((*rows)[i], player);
    if (!room.takes(table.ByteSizeLong())) {
      next = services::to_page_token(services::cursor_at((*rows)[i - 1]));
      break;
    }
    *page.add_tables() = std::move(table);
  }
  if (!next.empty()) page.set_next_page_token(kTables + next);
  co_return page;
}

// First the name, so that what is loaded from then on has the new one; then the tables in memory,
// which else would write their seats back; then the store; and again what was loaded meanwhile.
awaitable<Expected<pb::ErasePlayerResponse>> AdminPlayerData::erase(PlayerId player) {
  const std::int64_t now = base::unix_ms();
  std::vector<TableId> none;
  if (auto done = co_await parts_.personal.erase(player, now, std::move(none)); !done) {
    co_return std::unexpected(std::move(done.error()));
  }
  parts_.tokens.revoke(player);
  parts_.tokens.acts().forget(player);
  if (auto done = co_await parts_.tables.forget(player); !done) {
    co_return std::unexpected(std::move(done.error()));
  }
  pb::ErasePlayerResponse response;
  std::optional<store::TableCursor> after;
  for (;;) {
    auto filter = tables_of(player);
    const auto rows =
        co_await parts_.store.tables(std::move(filter), after, limits::kErasedTablesAtOnce);
    if (!rows) co_return std::unexpected(rows.error());
    if (rows->empty()) break;
    std::vector<TableId> ids;
    for (const store::TableRow& row : *rows) ids.push_back(row.id);
    response.set_tables(response.tables() + ids.size());
    after = services::cursor_at(rows->back());
    if (auto done = co_await parts_.personal.erase(player, now, std::move(ids)); !done) {
      co_return std::unexpected(std::move(done.error()));
    }
  }
  if (auto done = co_await parts_.tables.forget(player); !done) {
    co_return std::unexpected(std::move(done.error()));
  }
  co_return response;
}

}  // namespace tesela::ops
