#include <google/protobuf/util/time_util.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "clients/cli/admin/admin_calls.h"
#include "tesela/admin/v1/moderation.pb.h"

namespace tesela::cli {
namespace {

namespace pb = admin::v1;

/// Who acts: by default as the operator is called on the own machine.
template <class Request>
void add_operator(CLI::App& command, std::shared_ptr<Request> request) {
  command
      .add_option_function<std::string>(
          "--as", [request](const std::string& name) { request->set_operator_(name); },
          "Who acts, as it is kept with the act")
      ->envname("USER")
      ->type_name("NAME")
      ->required();
}

void add_reports(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::ListReportsRequest>();
  auto& reports =
      add_call<pb::ListReportsResponse>(app, options, "reports", "List open reports of players",
                                        "ModerationService/ListReports", request);
  reports.add_flag_callback(
      "--all", [request] { request->set_closed_too(true); }, "Also closed ones");
  add_text(reports, "--player", "ID", "Those of this player, closed ones too",
           [request](const std::string& id) { request->set_player_id(id); });
  add_page_options(reports, request);

  auto one = std::make_shared<pb::InspectReportRequest>();
  auto& report = add_call<pb::InspectReportResponse>(app, options, "report",
                                                     "Show a report with the talk before it",
                                                     "ModerationService/InspectReport", one);
  add_text(
      report, "ID", "ID", "The report's id",
      [one](const std::string& id) { one->set_report_id(id); }, true);
}

void add_report_changes(CLI::App& app, const AdminOptionsPtr& options) {
  auto given = std::make_shared<pb::AssignReportRequest>();
  auto& assign =
      add_call<pb::AssignReportResponse>(app, options, "assign", "Say who looks into a report",
                                         "ModerationService/AssignReport", given);
  add_text(
      assign, "ID", "ID", "The report's id",
      [given](const std::string& id) { given->set_report_id(id); }, true);
  add_text(assign, "--to", "NAME", "Who; else nobody",
           [given](const std::string& name) { given->set_assignee(name); });

  auto closed = std::make_shared<pb::CloseReportRequest>();
  auto& close = add_call<pb::CloseReportResponse>(app, options, "close-report", "Close a report",
                                                  "ModerationService/CloseReport", closed);
  add_text(
      close, "ID", "ID", "The report's id",
      [closed](const std::string& id) { closed->set_report_id(id); }, true);
  add_text(
      close, "--outcome", "TEXT", "What came of it",
      [closed](const std::string& outcome) { closed->set_outcome(outcome); }, true);
  add_operator(close, closed);
}

/// The time until which an act holds that begins now.
google::protobuf::Timestamp after(std::int64_t seconds) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return google::protobuf::util::TimeUtil::SecondsToTimestamp(now + seconds);
}

void add_until(CLI::App& command, const std::function<void(std::int64_t)>& set) {
  static const std::map<std::string, std::int64_t> kUnits{
      {"m", 60}, {"h", 60 * 60}, {"d", 24 * 60 * 60}};
  command
      .add_option_function<std::int64_t>("--for", set,
                                         "How long, as 30m, 12h or 7d; else until it is undone")
      ->transform(CLI::AsNumberWithUnit(kUnits, CLI::AsNumberWithUnit::UNIT_REQUIRED))
      ->type_name("TIME");
}

/// Needs a reason, and may have an end.
void add_act_on_servers(CLI::App& app, const AdminOptionsPtr& options, const char* name,
                        const char* description, account::v1::ActKind kind) {
  auto request = std::make_shared<pb::ActOnServersRequest>();
  request->set_kind(kind);
  auto& act = add_call<pb::ActOnServersResponse>(app, options, name, description,
                                                 "ModerationService/ActOnServers", request);
  add_text(
      act, "TEXT", "TEXT", "What everybody is told",
      [request](const std::string& reason) { request->set_reason(reason); }, true);
  add_until(act, [request](std::int64_t seconds) { *request->mutable_until() = after(seconds); });
  add_operator(act, request);
}

void add_acts_on_servers(CLI::App& app, const AdminOptionsPtr& options) {
  add_act_on_servers(app, options, "announce", "Tell everybody something",
                     account::v1::ACT_KIND_ANNOUNCE);
  add_act_on_servers(app, options, "pause-matchmaking", "Refuse searches, until `undo`",
                     account::v1::ACT_KIND_PAUSE_MATCHMAKING);
  add_act_on_servers(app, options, "pause-sign-ins", "Refuse new guests and sign-ins, until `undo`",
                     account::v1::ACT_KIND_PAUSE_SIGN_INS);
}

void add_act(CLI::App& app, const AdminOptionsPtr& options) {
  static const std::map<std::string, account::v1::ActKind> kKinds{
      {"warn", account::v1::ACT_KIND_WARN},
      {"mute", account::v1::ACT_KIND_MUTE},
      {"rename", account::v1::ACT_KIND_RENAME},
      {"suspend", account::v1::ACT_KIND_SUSPEND},
      {"ban", account::v1::ACT_KIND_BAN},
      {"end-sessions", account::v1::ACT_KIND_END_SESSIONS}};
  auto request = std::make_shared<pb::ActOnPlayerRequest>();
  auto& act = add_call<pb::ActOnPlayerResponse>(app, options, "act",
                                                "Warn, mute, rename, suspend or ban a player, or "
                                                "end all sessions of one",
                                                "ModerationService/ActOnPlayer", request);
  act.add_option_function<std::string>(
         "KIND", [request](const std::string& kind) { request->set_kind(kKinds.at(kind)); },
         "What to do")
      ->check(CLI::IsMember(kKinds))
      ->required();
  add_text(
      act, "ID", "ID", "The player's id",
      [request](const std::string& id) { request->set_player_id(id); }, true);
  add_text(
      act, "--reason", "TEXT", "Why, which the player is told",
      [request](const std::string& reason) { request->set_reason(reason); }, true);
  add_until(act, [request](std::int64_t seconds) { *request->mutable_until() = after(seconds); });
  add_operator(act, request);
}

void add_void(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::VoidGameRequest>();
  auto& act = add_call<pb::VoidGameResponse>(app, options, "void-game",
                                             "Have a game that is over not count, until `undo`",
                                             "ModerationService/VoidGame", request);
  add_text(
      act, "TABLE", "ID", "The table's id",
      [request](const std::string& id) { request->set_table_id(id); }, true);
  add_text(
      act, "--player", "ID", "Whose act it is: the player who is told",
      [request](const std::string& id) { request->set_player_id(id); }, true);
  add_text(
      act, "--reason", "TEXT", "Why, which the player is told",
      [request](const std::string& reason) { request->set_reason(reason); }, true);
  add_operator(act, request);
}

void add_acts(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::ListActsRequest>();
  auto& acts =
      add_call<pb::ListActsResponse>(app, options, "acts", "List acts on a player, with answers",
                                     "ModerationService/ListActs", request);
  add_text(acts, "ID", "ID", "The player's id; else acts on all servers",
           [request](const std::string& id) { request->set_player_id(id); });
}

void add_undo(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::UndoActRequest>();
  auto& undo =
      add_call<pb::UndoActResponse>(app, options, "undo", "Undo an act: it does not hold any more",
                                    "ModerationService/UndoAct", request);
  add_text(
      undo, "ID", "ID", "The act's id",
      [request](const std::string& id) { request->set_act_id(id); }, true);
  add_text(
      undo, "--reason", "TEXT", "Why",
      [request](const std::string& reason) { request->set_reason(reason); }, true);
  add_operator(undo, request);
}

}  // namespace

void add_moderation(CLI::App& app, const AdminOptionsPtr& options) {
  add_reports(app, options);
  add_report_changes(app, options);
  add_act(app, options);
  add_void(app, options);
  add_acts_on_servers(app, options);
  add_acts(app, options);
  add_undo(app, options);
}

}  // namespace tesela::cli
