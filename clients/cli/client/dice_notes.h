// What this program has noted about the dice of its games, so that `tesela verify` need not believe
// the server: the commitment as it was shown, before the player added to the dice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::cli {

/// Of one table.
struct DiceNote {
  std::string table_id;
  std::string commitment;    // 32 bytes
  std::string contribution;  // sent after the commitment was shown

  friend bool operator==(const DiceNote&, const DiceNote&) = default;
};

/// A file of one line a table, the newest last, in a directory that only the user can read. Another
/// process that notes at the same time may lose its note.
class DiceNotes {
 public:
  explicit DiceNotes(const std::filesystem::path& directory);

  /// In the place of what was noted of the same table; the oldest of too many goes. kUnavailable
  /// when the file cannot be written.
  [[nodiscard]] Expected<void> add(const DiceNote& note) const;
  [[nodiscard]] std::optional<DiceNote> find(std::string_view table_id) const;

 private:
  std::filesystem::path path_;
};

}  // namespace tesela::cli
