// The commitments to the dice that servers have shown to this program before the player contributed
// to the dice, so that `tesela verify` can check them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::cli {

/// The note about one table.
struct DiceNote {
  std::string table_id;
  std::string commitment;    // 32 bytes
  std::string contribution;  // sent after the commitment was shown

  friend bool operator==(const DiceNote&, const DiceNote&) = default;
};

/// A file with one line per table, the newest last, in a directory that only the user can read. If
/// two processes add a note at the same time, one note may be lost.
class DiceNotes {
 public:
  explicit DiceNotes(const std::filesystem::path& directory);

  /// Replaces an older note about the same table, and drops the oldest notes above kNotesMax.
  /// kUnavailable when the file cannot be written.
  [[nodiscard]] Expected<void> add(const DiceNote& note) const;
  [[nodiscard]] std::optional<DiceNote> find(std::string_view table_id) const;

 private:
  std::filesystem::path path_;
};

}  // namespace tesela::cli
