#include "server/ops/data_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/ops/option_file.h"

namespace tesela::ops {
namespace {

using Kind = DataCommand::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 7> kCommands{{{"backup", Kind::kBackup},
                                                                      {"restore", Kind::kRestore},
                                                                      {"compact", Kind::kCompact},
                                                                      {"check", Kind::kCheck},
                                                                      {"rotate", Kind::kRotate},
                                                                      {"upgrade", Kind::kUpgrade},
                                                                      {"migrate", Kind::kMigrate}}};

const std::pair<std::string_view, Kind>* find_command(std::string_view name) {
  const auto* const found =
      std::ranges::find(kCommands, name, &std::pair<std::string_view, Kind>::first);
  return found == kCommands.end() ? nullptr : found;
}

const char* what_it_does(Kind kind) {
  switch (kind) {
    case Kind::kBackup:
      return "Copies the database and the keys of a data folder, also while a server runs on it.\n";
    case Kind::kRestore:
      return "Puts a backup into a data folder on which no server runs.\n";
    case Kind::kCompact:
      return "Writes the database of a data folder on which no server runs anew, without unused "
             "space.\n";
    case Kind::kCheck:
      return "Reads all data of a server, and prints a line for each damage: of a data folder on "
             "which no server runs, or with --database of a PostgreSQL database, also while "
             "servers run on it. Changes nothing. The exit status is 1 if anything is damaged.\n";
    case Kind::kRotate:
      return "Takes a key out of a data folder; the server makes another one when it starts again. "
             "Tokens of the former token key are accepted until they expire (--token-ttl).\n";
    case Kind::kUpgrade:
      return "Brings the data of a server from before the first release to this version, in place: "
             "a data folder, or with --database a PostgreSQL database. No server runs on them. "
             "Killed at any moment, it has changed nothing or all.\n";
    case Kind::kMigrate:
      break;
  }
  return "Carries the data folder of a server on SQLite over to a PostgreSQL database. No server "
         "runs on either. Run again after it was broken off, it goes on where it was. The folder "
         "keeps its data, but no server starts on them any more.\n";
}

void describe_migration(CLI::App& app, DataCommand& command) {
  app.add_option("--from,--data", command.data, "The data folder; or TESELA_DATA.")
      ->type_name("DIR")
      ->default_str(command.data)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--to,--database", command.database,
                 "An empty database, postgres://USER:PASSWORD@HOST/DATABASE, or a file that holds "
                 "this line; or TESELA_DATABASE.")
      ->type_name("URL")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->required();
  app.add_option("--token-secret-file", command.token_secret_file,
                 "The key that the folder's server signed tokens with; or the folder's own.")
      ->type_name("FILE");
  app.add_option("--daily-secret-file", command.daily_secret_file,
                 "The key that it made daily games of, likewise.")
      ->type_name("FILE");
}

void describe(CLI::App& app, DataCommand& command) {
  app.description(what_it_does(command.kind));
  app.set_help_flag("--help", "Show this page.");
  if (command.kind == Kind::kMigrate) {
    describe_migration(app, command);
    return;
  }
  const bool takes_database = command.kind == Kind::kCheck || command.kind == Kind::kUpgrade;
  if (command.kind == Kind::kBackup || command.kind == Kind::kRestore) {
    app.add_option("FOLDER", command.backup,
                   command.kind == Kind::kBackup ? "Where to: a folder that is empty, or is made."
                                                 : "The folder that the backup was written to.")
        ->required();
  }
  if (command.kind == Kind::kRotate) {
    app.add_option("KEY", command.key, R"(Which: "token" or "admin".)")
        ->check(CLI::IsMember({"token", "admin"}))
        ->required();
    app.add_flag("--at-once", command.at_once,
                 "Of a token key that others know: everybody is signed out, and who has no way to "
                 "sign in has lost the account.");
  }
  app.add_option("--data", command.data, "The data folder; or TESELA_DATA.")
      ->type_name("DIR")
      ->default_str(command.data)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  // The others refuse it: it tells where the data of this server is.
  app.add_option("--database", command.database,
                 "In place of a folder: postgres://USER:PASSWORD@HOST/DATABASE, or a file that "
                 "holds this line; or TESELA_DATABASE.")
      ->type_name("URL")
      ->group(takes_database ? "OPTIONS" : "")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_config("--config", "", "The server's file of options, for its \"data\".")
      ->type_name("FILE");
  app.config_formatter(std::make_shared<OptionFile>());
  app.allow_config_extras(CLI::config_extras_mode::ignore_all);
  if (command.kind != Kind::kRestore) return;
  app.add_flag("--replace", command.replace,
               "Move existing data aside, into a folder replaced-TIME of the data folder.");
}

/// The options that the environment may set.
constexpr std::array<std::pair<const char*, const char*>, 2> kVariables{
    {{"TESELA_DATA", "--data"}, {"TESELA_DATABASE", "--database"}}};

constexpr const char* kOnPostgres =
    "the data of this server is in a PostgreSQL database. Use PostgreSQL's own programs: pg_dump "
    "--format custom makes a backup, and pg_restore puts it back. Keep the keys of "
    "--token-secret-file and --daily-secret-file with it.";

constexpr const char* kKeysOnPostgres =
    "the servers on a PostgreSQL database have their keys in files: exchange these, with "
    "--former-token-secret-file (server/README.md).";

/// The arguments after the command, in CLI11's order. The values of the environment are put before
/// them, because the last one counts.
std::vector<std::string> words(int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (const auto& [variable, option] : kVariables) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): read_data_command is called before there are threads
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') words.push_back(std::string(option) + "=" + value);
  }
  words.insert(words.end(), argv + 2, argv + argc);
  std::ranges::reverse(words);
  return words;
}

}  // namespace

bool is_data_command(int argc, const char* const* argv) {
  return argc > 1 && find_command(argv[1]) != nullptr;
}

std::expected<DataCommand, EarlyExit> read_data_command(int argc, const char* const* argv) {
  const std::string name = std::string("tesela-server ") + argv[1];
  DataCommand command{.kind = find_command(argv[1])->second, .backup = {}, .data = Config{}.data};
  CLI::App app{"", name};
  describe(app, command);
  try {
    app.parse(words(argc, argv));
  } catch (const CLI::CallForHelp&) {
    return std::unexpected(EarlyExit{.code = 0, .text = app.help()});
  } catch (const CLI::ExtrasError&) {
    return std::unexpected(
        EarlyExit{.code = 2, .text = name + ": " + unexpected(app.remaining()) + " See --help.\n"});
  } catch (const CLI::ParseError& error) {
    return std::unexpected(
        EarlyExit{.code = 2, .text = name + ": " + error.what() + ". See --help.\n"});
  }
  const bool uses_database = command.kind == Kind::kMigrate || command.kind == Kind::kCheck ||
                             command.kind == Kind::kUpgrade;
  if (!uses_database && !command.database.empty()) {
    const char* const why = command.kind == Kind::kRotate ? kKeysOnPostgres : kOnPostgres;
    return std::unexpected(EarlyExit{.code = 1, .text = name + ": " + why + "\n"});
  }
  return command;
}

}  // namespace tesela::ops
