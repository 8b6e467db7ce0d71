// The command line of `tesela-server backup FOLDER`, `tesela-server restore FOLDER`,
// `tesela-server compact`, `tesela-server check`, `tesela-server rotate KEY`, `tesela-server
// upgrade` and `tesela-server migrate`.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "server/ops/config.h"

namespace tesela::ops {

struct DataCommand {
  enum class Kind : std::uint8_t {
    kBackup,
    kRestore,
    kCompact,
    kCheck,
    kRotate,
    kUpgrade,
    kMigrate
  };

  Kind kind{};
  std::filesystem::path backup;  // the folder of the backup; of kBackup and kRestore
  std::filesystem::path data;    // as Config::data
  bool replace{false};           // a restore moves existing data aside
  std::string key{};             // of kRotate: "token" or "admin"
  bool at_once{false};           // kRotate leaves no former key
  // As in Config; database: where kMigrate carries the data, or what kCheck and kUpgrade read; else
  // empty.
  std::string database{};
  std::optional<std::filesystem::path> token_secret_file{};
  std::optional<std::filesystem::path> daily_secret_file{};
};

/// Whether the first argument is one of these commands.
[[nodiscard]] bool is_data_command(int argc, const char* const* argv);

/// Reads such a command line. The data folder comes from --data, TESELA_DATA or the file of
/// --config, as for a server; other lines of that file are ignored. Where the server is on
/// PostgreSQL (--database, TESELA_DATABASE or the file), those that copy or compact are refused.
/// Reads the environment: call it before any thread is started.
[[nodiscard]] std::expected<DataCommand, EarlyExit> read_data_command(int argc,
                                                                      const char* const* argv);

}  // namespace tesela::ops
