// The commands that look after a data folder instead of serving it: `tesela-server backup FOLDER`
// and `tesela-server restore FOLDER`.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>

#include "server/ops/config.h"

namespace tesela::ops {

struct DataCommand {
  enum class Kind : std::uint8_t { kBackup, kRestore };

  Kind kind{};
  std::filesystem::path backup;  // the folder of the copy
  std::filesystem::path data;    // as Config::data
  bool replace{false};           // a restore moves aside what is there
};

/// Whether the command line asks for one of them: its first word does.
[[nodiscard]] bool is_data_command(int argc, const char* const* argv);

/// The command that is_data_command has seen. The data folder comes from --data, TESELA_DATA or the
/// file of --config, as a server's; other lines of that file are passed over. Reads the
/// environment: call it before there are threads.
[[nodiscard]] std::expected<DataCommand, EarlyExit> read_data_command(int argc,
                                                                      const char* const* argv);

}  // namespace tesela::ops
