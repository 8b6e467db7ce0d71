#include "clients/cli/client/dice_notes.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "clients/cli/base/value_text.h"
#include "clients/cli/client/player_file.h"

namespace tesela::cli {
namespace {

constexpr std::size_t kNotesMax = 200;

/// Empty for a text that is not hexadecimal.
std::string from_hex(std::string_view text) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string bytes;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    const int high = digit(text[at]);
    const int low = digit(text[at + 1]);
    if (high < 0 || low < 0) return {};
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::vector<DiceNote> read(const std::filesystem::path& path) {
  std::vector<DiceNote> notes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    DiceNote note;
    std::string commitment;
    std::string contribution;
    if (!(words >> note.table_id >> commitment >> contribution)) continue;
    note.commitment = from_hex(commitment);
    note.contribution = from_hex(contribution);
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace

DiceNotes::DiceNotes(const std::filesystem::path& directory) : path_(directory / "dice.txt") {}

Expected<void> DiceNotes::add(const DiceNote& note) const {
  std::vector<DiceNote> notes = read(path_);
  std::erase_if(notes, [&](const DiceNote& old) { return old.table_id == note.table_id; });
  notes.push_back(note);
  if (notes.size() > kNotesMax) {
    notes.erase(notes.begin(), notes.end() - static_cast<std::ptrdiff_t>(kNotesMax));
  }
  std::string text;
  for (const DiceNote& one : notes) {
    text += one.table_id + ' ' + hex(one.commitment) + ' ' + hex(one.contribution) + '\n';
  }
  return replace_file(path_, text);
}

std::optional<DiceNote> DiceNotes::find(std::string_view table_id) const {
  std::vector<DiceNote> notes = read(path_);
  const auto found = std::ranges::find(notes, table_id, &DiceNote::table_id);
  if (found == notes.end()) return std::nullopt;
  return std::move(*found);
}

}  // namespace tesela::cli
