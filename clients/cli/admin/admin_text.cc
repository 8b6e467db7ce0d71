#include "clients/cli/admin/admin_text.h"

#include <google/protobuf/util/time_util.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/cli/admin/table_text.h"
#include "clients/cli/admin/text_table.h"
#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

namespace pb = admin::v1;
using google::protobuf::util::TimeUtil;

constexpr double kMebibyte = 1024.0 * 1024.0;

std::string kind_text(pb::AccountKind kind) {
  switch (kind) {
    case pb::ACCOUNT_KIND_GUEST:
      return "guest";
    case pb::ACCOUNT_KIND_OF_ISSUER:
      return "of the issuer";
    case pb::ACCOUNT_KIND_BOT:
      return "bot";
    case pb::ACCOUNT_KIND_MEMBER:
      return "member";
    default:
      return "-";
  }
}

std::string names_text(const lobby::v1::Table& table) {
  std::string text;
  for (const auto& seat : table.seats()) {
    text += (text.empty() ? "" : ", ") + seat.display_name() + (seat.bot() ? " (bot)" : "");
  }
  return text;
}

/// How many players and spectators are connected; "-" for a table that is not in memory.
std::string presence_text(const pb::TableSummary& summary) {
  if (!summary.in_memory()) return "-";
  return fmt::format("{} + {}", summary.players_connected(), summary.spectators());
}

template <class Summaries>
Printed table_rows(const Summaries& tables) {
  Rows rows{{"table", "game", "state", "made", "private", "here", "seats", "players"}};
  for (const pb::TableSummary& summary : tables) {
    const auto& table = summary.table();
    rows.push_back(
        {table.table_id(), table.game(), state_text(table.state()), minute_text(table.created_at()),
         yes_or_no(summary.invite_needed()), presence_text(summary),
         fmt::format("{}/{}", table.seats_size(), table.seat_count()), names_text(table)});
  }
  return text_table(rows);
}

Printed next_page(const std::string& token) {
  return token.empty() ? Printed{} : Printed::of("There are more: add --page {}\n", token);
}

/// "debug".
std::string level_text(pb::LogLevel level) {
  constexpr std::string_view kPrefix = "LOG_LEVEL_";
  std::string name = pb::LogLevel_Name(level);
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

/// "host:7500".
std::string place_text(const std::string& address) {
  constexpr std::string_view kScheme = "node://";
  if (address.empty()) return "-";
  return address.starts_with(kScheme) ? address.substr(kScheme.size()) : address;
}

/// "alive, lease 412 ms", "dead for 0:09".
std::string life_text(const pb::Node& node) {
  if (!node.alive()) {
    return "dead for " + time_words(TimeUtil::DurationToMilliseconds(node.dead_for()));
  }
  if (!node.has_lease_age()) return "alive";
  return fmt::format("alive, lease {} ms", TimeUtil::DurationToMilliseconds(node.lease_age()));
}

std::string duties_text(const pb::Node& node) {
  std::string text;
  for (const int duty : node.duties()) {
    const bool sweeps = duty == pb::NODE_DUTY_SWEEP;
    const bool matches = duty == pb::NODE_DUTY_MATCH;
    text += text.empty() ? "" : ", ";
    text += sweeps ? "sweep" : matches ? "match" : "unknown";
  }
  return text.empty() ? "-" : text;
}

/// Unusual states of a server, and why it gave no report.
std::string remarks_text(const pb::NodeReport& report) {
  std::string text = report.here() ? "this one" : "";
  const auto add = [&text](const std::string& remark) {
    text += (text.empty() ? "" : ", ") + remark;
  };
  if (!report.has_status()) {
    add(report.status_missing());
    return text;
  }
  const auto& status = report.status();
  if (status.draining()) add("draining");
  if (status.frozen()) add("frozen");
  if (!status.ready() && !status.draining()) add("not ready: " + status.reason());
  const auto damaged = status.damaged_tables().count();
  if (damaged > 0) add(fmt::format("{} damaged tables", damaged));
  return text;
}

/// "none", or "12, the last: 4f1c… 9a02…"
std::string damaged_text(const pb::DamagedTables& damaged) {
  if (damaged.count() == 0) return "none";
  std::string text = fmt::format("{}, the last:", damaged.count());
  for (const std::string& id : damaged.last_ids()) text += " " + id;
  return text;
}

}  // namespace

Printed admin_text(const pb::ListNodesResponse& nodes) {
  Rows rows{{"server", "life", "state", "tables", "streams", "duties", "version", "log level",
             "remarks"}};
  for (const pb::NodeReport& report : nodes.nodes()) {
    const auto told = [&report](std::string text) {
      return report.has_status() ? std::move(text) : std::string("-");
    };
    const auto& node = report.node();
    const auto& status = report.status();
    rows.push_back({place_text(node.address()), node.life(), life_text(node),
                    node.has_tables() ? std::to_string(node.tables()) : "-",
                    told(std::to_string(status.streams())), duties_text(node),
                    told(status.version()), told(level_text(status.log_level())),
                    remarks_text(report)});
  }
  return text_table(rows) +
         Printed::of(nodes.more() ? "There are more, which have been dead for long.\n" : "");
}

Printed admin_text(const pb::GetStatusResponse& status) {
  const auto up_ms = TimeUtil::DurationToMilliseconds(status.uptime());
  return text_table(
      {{"version", status.version()},
       {"ready", status.ready() ? "yes" : "no: " + status.reason()},
       {"draining", yes_or_no(status.draining())},
       {"frozen", yes_or_no(status.frozen())},
       {"up", time_words(up_ms) + ", since " + minute_text(status.started_at()) + " UTC"},
       {"tables", fmt::format("{} in memory", status.tables_in_memory())},
       {"connections",
        fmt::format("{}, {} of them streams of tables", status.connections(), status.streams())},
       {"memory",
        fmt::format("{:.1f} MiB", static_cast<double>(status.memory_bytes()) / kMebibyte)},
       {"log level", level_text(status.log_level())},
       {"damaged tables", damaged_text(status.damaged_tables())}});
}

Printed admin_text(const pb::ListTablesResponse& page) {
  if (page.tables().empty()) return Printed::of("No tables.\n");
  return table_rows(page.tables()) + next_page(page.next_page_token());
}

Printed admin_text(const pb::ListPlayersResponse& page) {
  if (page.players().empty()) return Printed::of("No players.\n");
  Rows rows{{"player", "since", "kind", "name"}};
  for (const auto& player : page.players()) {
    rows.push_back({player.player_id(), minute_text(player.created_at()), kind_text(player.kind()),
                    player.display_name()});
  }
  return text_table(rows) + next_page(page.next_page_token());
}

Printed admin_text(const pb::InspectPlayerResponse& player) {
  Rows rows{{"player", player.player().player_id()},
            {"name", player.player().display_name()},
            {"kind", kind_text(player.player().kind())},
            {"since", minute_text(player.player().created_at()) + " UTC"}};
  if (!player.player().owner_id().empty()) rows.push_back({"owner", player.player().owner_id()});
  for (const auto& each : player.ratings()) {
    rows.push_back(
        {"rating", fmt::format("{} {} ± {} after {} games", each.game(), each.rating().shown(),
                               each.rating().deviation(), each.rating().games())});
  }
  std::string connected;
  for (const auto& id : player.connected_table_ids()) {
    connected += (connected.empty() ? "at " : ", ") + id;
  }
  rows.push_back({"connected", connected.empty() ? "no" : connected});
  Printed text = text_table(rows);
  if (!player.tables().empty()) text += Printed::of("\n") + table_rows(player.tables());
  return text;
}

Printed admin_text(const pb::CloseTableResponse& closed) {
  return Printed::of("Table {} is closed.\n", closed.summary().table().table_id());
}

Printed admin_text(const pb::ErasePlayerResponse& erased) {
  return Printed::of("The player is erased: \"someone\" sits in that place at {} tables.\n",
                     erased.tables());
}

Printed admin_text(const pb::FreeBotResponse& /*freed*/) {
  return Printed::of("The bot belongs to the next player who offers it.\n");
}

Printed admin_text(const pb::DrainResponse& drained) {
  return Printed::of(
      "The server takes nothing new: {} tables have left its memory, {} streams were told to come "
      "back.\n",
      drained.tables(), drained.streams());
}

Printed admin_text(const pb::UndrainResponse& /*undrained*/) {
  return Printed::of("The server takes everything again.\n");
}

Printed admin_text(const pb::SetLogLevelResponse& set) {
  if (set.nodes().empty()) {
    return Printed::of("The log level was {} before.\n", level_text(set.previous()));
  }
  Rows rows{{"server", "life", "level before"}};
  for (const pb::NodeLogLevel& each : set.nodes()) {
    rows.push_back(
        {place_text(each.node().address()), each.node().life(),
         each.failure().empty() ? level_text(each.previous()) : "not changed: " + each.failure()});
  }
  return text_table(rows);
}

}  // namespace tesela::cli
