#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "clients/cli/admin/admin_calls.h"
#include "tesela/admin/v1/admin.pb.h"

namespace tesela::cli {
namespace {

namespace pb = admin::v1;

/// The admin key of a server whose data folder is in the same environment, as in its container;
/// empty when there is none.
std::string own_token_file() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): options are made before there are threads
  const char* data = std::getenv("TESELA_DATA");
  return data == nullptr ? "" : std::string(data) + "/admin.key";
}

constexpr const char* kWhichNode =
    "Which server: its address, its host or its life, as `nodes` shows them; else the one that is "
    "asked";

void add_tables(CLI::App& app, const AdminOptionsPtr& options) {
  static const std::map<std::string, lobby::v1::TableState> kStates{
      {"open", lobby::v1::TABLE_STATE_OPEN},
      {"in-play", lobby::v1::TABLE_STATE_IN_PLAY},
      {"over", lobby::v1::TABLE_STATE_OVER},
      {"closed", lobby::v1::TABLE_STATE_CLOSED}};
  auto request = std::make_shared<pb::ListTablesRequest>();
  auto& tables = add_call<pb::ListTablesResponse>(app, options, "tables", "List tables",
                                                  "AdminService/ListTables", request);
  add_text(tables, "--game", "GAME", "Those of this game alone",
           [request](const std::string& game) { request->mutable_filter()->set_game(game); });
  tables
      .add_option_function<std::string>(
          "--state",
          [request](const std::string& state) {
            request->mutable_filter()->set_state(kStates.at(state));
          },
          "Those in this state alone")
      ->check(CLI::IsMember(kStates));
  add_text(tables, "--player", "ID", "Those at which this player sits",
           [request](const auto& id) { request->mutable_filter()->set_player_id(id); });
  add_page_options(tables, request);
}

void add_players(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::ListPlayersRequest>();
  auto& players = add_call<pb::ListPlayersResponse>(app, options, "players", "List players",
                                                    "AdminService/ListPlayers", request);
  add_text(players, "--name", "TEXT", "Those whose names begin like that",
           [request](const std::string& prefix) { request->set_name_prefix(prefix); });
  add_page_options(players, request);
}

void add_inspections(CLI::App& app, const AdminOptionsPtr& options) {
  auto table = std::make_shared<pb::InspectTableRequest>();
  auto& inspect_table = add_call<pb::InspectTableResponse>(
      app, options, "table",
      "Show a table: its seats, connections and clocks, what it does and waits for, and its last "
      "moves",
      "AdminService/InspectTable", table);
  add_text(
      inspect_table, "ID", "ID", "The table's id",
      [table](const std::string& id) { table->set_table_id(id); }, true);
  auto watched = std::make_shared<pb::IssueWatchPassRequest>();
  auto& pass = add_call<pb::IssueWatchPassResponse>(
      app, options, "pass",
      "Print what `watch` and `replay` take as a table's --invite, private or not, for an hour",
      "AdminService/IssueWatchPass", watched);
  add_text(
      pass, "ID", "ID", "The table's id",
      [watched](const std::string& id) { watched->set_table_id(id); }, true);
  auto player = std::make_shared<pb::InspectPlayerRequest>();
  auto& inspect_player = add_call<pb::InspectPlayerResponse>(
      app, options, "player", "Show a player: ratings, tables, where the player is",
      "AdminService/InspectPlayer", player);
  add_text(
      inspect_player, "ID", "ID", "The player's id",
      [player](const std::string& id) { player->set_player_id(id); }, true);
}

/// All pages of a player's data, as one message.
Task<Expected<pb::ExportPlayerResponse>> export_player(AdminOptions options,
                                                       pb::ExportPlayerRequest request) {
  pb::ExportPlayerResponse all;
  do {
    auto page = co_await call<pb::ExportPlayerResponse>(options, "AdminService/ExportPlayer",
                                                        request.SerializeAsString());
    if (!page) co_return page;
    request.set_page_token(page->next_page_token());
    page->clear_next_page_token();
    all.MergeFrom(*page);
  } while (!request.page_token().empty());
  co_return all;
}

struct Erasure {
  std::string player_id;
  bool sure = false;
};

void erase_player(const AdminOptions& options, const Erasure& erasure) {
  if (!erasure.sure) {
    pb::InspectPlayerRequest whom;
    whom.set_player_id(erasure.player_id);
    print(std::cerr, admin_text(value_or_fail(await(call<pb::InspectPlayerResponse>(
                         options, "AdminService/InspectPlayer", whom.SerializeAsString())))));
    print(std::cerr, Printed::of("Erase this player for ever? Type yes: "));
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "yes") fail("Nobody was erased. With --yes nothing is asked.");
  }
  pb::ErasePlayerRequest request;
  request.set_player_id(erasure.player_id);
  show(value_or_fail(await(call<pb::ErasePlayerResponse>(options, "AdminService/ErasePlayer",
                                                         request.SerializeAsString()))),
       options.json);
}

void add_personal_data(CLI::App& app, const AdminOptionsPtr& options) {
  auto wanted = std::make_shared<pb::ExportPlayerRequest>();
  auto& exported =
      add_command(app, "export", "Print everything that the server has of a player, as JSON");
  exported.fallthrough();
  exported.callback(
      [options, wanted] { print_json(value_or_fail(await(export_player(*options, *wanted)))); });
  add_text(
      exported, "ID", "ID", "The player's id",
      [wanted](const std::string& id) { wanted->set_player_id(id); }, true);
  auto erased = std::make_shared<Erasure>();
  auto& erase = add_command(
      app, "erase",
      "Erase a player's name and share in the dice everywhere, for ever; the games stay."
      " Shows who it is, and asks");
  erase.fallthrough();
  erase.callback([options, erased] { erase_player(*options, *erased); });
  erase.add_option("ID", erased->player_id, "The player's id")->type_name("ID")->required();
  erase.add_flag("--yes", erased->sure, "Do not ask");
}

void add_close(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::CloseTableRequest>();
  auto& close = add_call<pb::CloseTableResponse>(
      app, options, "close", "Close a table: it has no result, and nobody plays there any more",
      "AdminService/CloseTable", request);
  add_text(
      close, "ID", "ID", "The table's id",
      [request](const std::string& id) { request->set_table_id(id); }, true);
  add_text(
      close, "--reason", "TEXT", "Why, which everybody there is told",
      [request](const std::string& reason) { request->set_reason(reason); }, true);
}

void add_free_bot(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::FreeBotRequest>();
  auto& free_bot = add_call<pb::FreeBotResponse>(
      app, options, "free-bot",
      "Take a remote bot from its owner: it belongs to the next player who offers it",
      "AdminService/FreeBot", request);
  add_text(
      free_bot, "ID", "ID", "The id of the bot's account",
      [request](const std::string& id) { request->set_player_id(id); }, true);
}

void add_drain(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::DrainRequest>();
  auto& drain = add_call<pb::DrainResponse>(
      app, options, "drain",
      "Have a server take nothing new and send everybody away; with a node port undrain ends that",
      "AdminService/Drain", request);
  add_text(drain, "NODE", "NODE", kWhichNode,
           [request](const std::string& node) { request->set_node(node); });
  drain.add_flag_callback(
      "--exit", [request] { request->set_exit(true); }, "And then end the process");
}

void add_undrain(CLI::App& app, const AdminOptionsPtr& options) {
  auto request = std::make_shared<pb::UndrainRequest>();
  auto& undrain = add_call<pb::UndrainResponse>(app, options, "undrain",
                                                "Have a drained server take everything again",
                                                "AdminService/Undrain", request);
  add_text(undrain, "NODE", "NODE", kWhichNode,
           [request](const std::string& node) { request->set_node(node); });
}

void add_log_level(CLI::App& app, const AdminOptionsPtr& options) {
  static const std::map<std::string, pb::LogLevel> kLevels{{"trace", pb::LOG_LEVEL_TRACE},
                                                           {"debug", pb::LOG_LEVEL_DEBUG},
                                                           {"info", pb::LOG_LEVEL_INFO},
                                                           {"warn", pb::LOG_LEVEL_WARN},
                                                           {"error", pb::LOG_LEVEL_ERROR}};
  auto request = std::make_shared<pb::SetLogLevelRequest>();
  auto& log_level = add_call<pb::SetLogLevelResponse>(
      app, options, "log-level", "Change the log level of a server, until it ends",
      "AdminService/SetLogLevel", request);
  log_level
      .add_option_function<std::string>(
          "LEVEL", [request](const std::string& level) { request->set_level(kLevels.at(level)); },
          "The level")
      ->check(CLI::IsMember(kLevels))
      ->required();
  auto& node = *log_level
                    .add_option_function<std::string>(
                        "--node", [request](const std::string& name) { request->set_node(name); },
                        kWhichNode)
                    ->type_name("NODE");
  log_level
      .add_flag_callback(
          "--all", [request] { request->set_all(true); }, "That of every server")
      ->excludes(&node);
}

}  // namespace

void add_admin(CLI::App& app) {
  auto options = std::make_shared<AdminOptions>();
  auto& admin = add_command(app, "admin", "Operators' commands to a server");
  admin.require_subcommand(1);
  add_ops_server_option(admin, options->server);
  options->token_file = own_token_file();
  admin
      .add_option("--token-file", options->token_file,
                  "The admin token; without it, admin.key in the folder that TESELA_DATA names")
      ->envname("TESELA_ADMIN_TOKEN_FILE")
      ->type_name("FILE")
      ->required(options->token_file.empty());
  admin.add_flag("--json", options->json, "As JSON, in the words of the protocol");
  add_call<pb::GetStatusResponse>(admin, options, "status", "Show the state of the server",
                                  "AdminService/GetStatus",
                                  std::make_shared<pb::GetStatusRequest>());
  add_call<pb::ListNodesResponse>(admin, options, "nodes",
                                  "List the servers on the database, with their tables, duties "
                                  "and states",
                                  "AdminService/ListNodes",
                                  std::make_shared<pb::ListNodesRequest>());
  add_tables(admin, options);
  add_players(admin, options);
  add_inspections(admin, options);
  add_personal_data(admin, options);
  add_close(admin, options);
  add_moderation(admin, options);
  add_free_bot(admin, options);
  add_drain(admin, options);
  add_undrain(admin, options);
  add_log_level(admin, options);
}

}  // namespace tesela::cli
