// The file of --config.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::ops {

/// Reads it (TOML). A list is one value with commas, as on the command line. The mark of the byte
/// order, which some editors put before a text, is no part of it. One thread.
class OptionFile final : public CLI::ConfigTOML {
 public:
  /// The names that it may have; none: any.
  explicit OptionFile(std::vector<std::string> names = {}) : names_(std::move(names)) {}

  /// Throws CLI::ConfigError for another name, with its line and the nearest of those.
  [[nodiscard]] std::vector<CLI::ConfigItem> from_config(std::istream& in) const override;
  /// The line where an option stands, from 1; 0: it does not.
  [[nodiscard]] std::size_t line_of(const std::string& name) const;

 private:
  const std::vector<std::string> names_;
  mutable std::map<std::string, std::size_t> lines_;  // of what was read; CLI11 reads by a constant
};

/// The name that differs in the fewest characters (Levenshtein's distance). `names` is not empty.
[[nodiscard]] const std::string& nearest(std::string_view name,
                                         const std::vector<std::string>& names);

}  // namespace tesela::ops
