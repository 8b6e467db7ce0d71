#include "server/ops/data_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tesela::ops {
namespace {

using Kind = DataCommand::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 3> kCommands{
    {{"backup", Kind::kBackup}, {"restore", Kind::kRestore}, {"compact", Kind::kCompact}}};

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
      break;
  }
  return "Writes the database of a data folder on which no server runs anew, without unused "
         "space.\n";
}

void describe(CLI::App& app, DataCommand& command) {
  app.description(what_it_does(command.kind));
  app.set_help_flag("--help", "Show this page.");
  if (command.kind != Kind::kCompact) {
    app.add_option("FOLDER", command.backup,
                   command.kind == Kind::kBackup ? "Where to: a folder that is empty, or is made."
                                                 : "The folder that the backup was written to.")
        ->required();
  }
  app.add_option("--data", command.data, "The data folder; or TESELA_DATA.")
      ->type_name("DIR")
      ->default_str(command.data)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_config("--config", "", "The server's file of options, for its \"data\".")
      ->type_name("FILE");
  app.allow_config_extras(CLI::config_extras_mode::ignore_all);
  if (command.kind != Kind::kRestore) return;
  app.add_flag("--replace", command.replace,
               "Move what is there aside, into a folder replaced-TIME of the data folder.");
}

/// The arguments after the command, in CLI11's order. The value of the environment is put before
/// them, because the last one counts.
std::vector<std::string> words(int argc, const char* const* argv) {
  std::vector<std::string> words;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): read_data_command is called before there are threads
  const char* data = std::getenv("TESELA_DATA");
  if (data != nullptr && *data != '\0') words.push_back(std::string("--data=") + data);
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
  } catch (const CLI::ParseError& error) {
    return std::unexpected(
        EarlyExit{.code = 2, .text = name + ": " + error.what() + ". See --help.\n"});
  }
  return command;
}

}  // namespace tesela::ops
