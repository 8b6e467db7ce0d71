// The file of --config.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace tesela::ops {

/// Reads it (TOML). A list is one value with commas, as on the command line. The mark of the byte
/// order, which some editors put before a text, is no part of it.
[[nodiscard]] std::shared_ptr<CLI::Config> option_file();

}  // namespace tesela::ops
