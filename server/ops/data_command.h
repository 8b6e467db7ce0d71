// The command line of `tesela-server backup FOLDER`, `tesela-server restore FOLDER` and
// `tesela-server compact`.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>

#include "server/ops/config.h"

namespace tesela::ops {

struct DataCommand {
  enum class Kind : std::uint8_t { kBackup, kRestore, kCompact };

  Kind kind{};
  std::filesystem::path backup;  // the folder of the backup; empty for kCompact
  std::filesystem::path data;    // as Config::data
  bool replace{false};           // a restore moves existing data aside
};

/// Whether the first argument is one of these commands.
[[nodiscard]] bool is_data_command(int argc, const char* const* argv);

/// Reads such a command line. The data folder comes from --data, TESELA_DATA or the file of
/// --config, as for a server; other lines of that file are ignored. Reads the environment: call it
/// before any thread is started.
[[nodiscard]] std::expected<DataCommand, EarlyExit> read_data_command(int argc,
                                                                      const char* const* argv);

}  // namespace tesela::ops
