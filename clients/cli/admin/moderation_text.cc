#include "clients/cli/admin/moderation_text.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "clients/cli/admin/text_table.h"
#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

namespace pb = admin::v1;
namespace account = account::v1;

/// "suspend" of ACT_KIND_SUSPEND.
std::string kind_text(std::string name, std::string_view prefix) {
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}
std::string kind_text(account::ActKind kind) {
  return kind_text(account::ActKind_Name(kind), "ACT_KIND_");
}
std::string kind_text(account::ReportKind kind) {
  return kind_text(account::ReportKind_Name(kind), "REPORT_KIND_");
}

std::string state_text(const pb::Report& report) {
  if (report.has_closed_at()) return "closed by " + report.assignee();
  return report.assignee().empty() ? "open" : "with " + report.assignee();
}

/// "in force until 2026-11-29 10:15 UTC", "undone", or nothing.
std::string state_text(const account::Act& act) {
  if (act.undone()) return "undone";
  if (!act.in_force()) return "";
  return act.has_until() ? "in force until " + minute_text(act.until()) + " UTC" : "in force";
}

}  // namespace

Printed admin_text(const pb::ListReportsResponse& page) {
  if (page.reports().empty()) return Printed::of("No reports.\n");
  Rows rows{{"report", "made", "about", "player", "by", "table", "state"}};
  for (const pb::Report& report : page.reports()) {
    rows.push_back({report.report_id(), minute_text(report.created_at()), kind_text(report.kind()),
                    report.player_id(), report.reporter_id(), report.table_id(),
                    state_text(report)});
  }
  const std::string& token = page.next_page_token();
  return text_table(rows) +
         (token.empty() ? Printed{} : Printed::of("There are more: add --page {}\n", token));
}

Printed admin_text(const pb::InspectReportResponse& response) {
  const pb::Report& report = response.report();
  Rows rows{{"report", report.report_id()},
            {"made", minute_text(report.created_at()) + " UTC"},
            {"about", kind_text(report.kind())},
            {"player", report.player_id()},
            {"by", report.reporter_id()},
            {"table", report.table_id()},
            {"text", report.text()},
            {"state", state_text(report)}};
  if (report.has_closed_at()) rows.push_back({"outcome", report.outcome()});
  Printed text = text_table(rows);
  if (report.lines().empty()) return text;
  Rows lines{{"said", "player", "text"}};
  for (const account::ReportLine& line : report.lines()) {
    const bool spoken = line.what_case() == account::ReportLine::kText;
    lines.push_back({minute_text(line.said_at()), line.player_id(),
                     spoken
                         ? line.text()
                         : "(" + kind_text(play::v1::Phrase_Name(line.phrase()), "PHRASE_") + ")"});
  }
  text += Printed::of("\n") + text_table(lines);
  return text;
}

Printed admin_text(const pb::AssignReportResponse& /*assigned*/) {
  return Printed::of("The report is given.\n");
}

Printed admin_text(const pb::CloseReportResponse& /*closed*/) {
  return Printed::of("The report is closed.\n");
}

Printed admin_text(const pb::ListActsResponse& acts) {
  if (acts.acts().empty()) return Printed::of("There is no act.\n");
  Rows rows{{"act", "done", "what", "by", "reason", "before", "after", "state", "read", "answer"}};
  for (const pb::PlayerAct& each : acts.acts()) {
    const account::Act& act = each.act();
    const bool undo = act.kind() == account::ACT_KIND_UNDO;
    rows.push_back({act.act_id(), minute_text(act.created_at()), kind_text(act.kind()),
                    each.operator_(), act.reason(), each.before(), each.after(),
                    undo ? "of " + each.undoes_act_id() : state_text(act),
                    act.seen() ? "yes" : "no", act.answer()});
  }
  return text_table(rows);
}

Printed admin_text(const pb::ActOnPlayerResponse& acted) {
  Printed text = Printed::of("Act {} is done: the player was {}, and is {}.\n",
                             acted.act().act().act_id(), acted.act().before(), acted.act().after());
  if (acted.ended_sessions() > 0) {
    text += Printed::of("{} sessions have ended.\n", acted.ended_sessions());
  }
  return text;
}

Printed admin_text(const pb::ActOnServersResponse& acted) {
  return Printed::of("Act {} is done; `undo` ends it.\n", acted.act().act().act_id());
}

Printed admin_text(const pb::VoidGameResponse& made) {
  const account::Act& act = made.act().act();
  return Printed::of("Act {} is done: the game at table {} does not count.\n", act.act_id(),
                     act.table_id());
}

Printed admin_text(const pb::UndoActResponse& undone) {
  return Printed::of("Act {} is undone.\n", undone.act().act().act_id());
}

}  // namespace tesela::cli
