#include "clients/cli/games/samegame/samegame_json.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tesela::cli {
namespace {

using samegame::Colour;
using samegame::Setting;
using samegame::State;

constexpr unsigned kColourMax = samegame::kColoursMax - 1U;  // a question's first colour is 0

Expected<Colour> read_colour(const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= kColourMax) {
    return static_cast<Colour>(value.get<std::uint64_t>() + 1);
  }
  if (value.is_number_integer() && !value.is_number_unsigned() && value == -1) {
    return samegame::kEmpty;
  }
  return unreadable("The cells of 'board' must be -1 (empty) or a colour from 0 to " +
                    std::to_string(kColourMax) + ".");
}

/// Rows and columns of 'board', which is not read any further.
Expected<Setting> read_size(const Json& question) {
  const auto board = question.find("board");
  if (board == question.end() || !board->is_array() || board->empty() ||
      !board->front().is_array()) {
    return unreadable("'board' must be a list of rows, each a list of cells.");
  }
  const std::size_t rows = board->size();
  const std::size_t columns = board->front().size();
  if (rows > samegame::kSideMax || columns < 1 || columns > samegame::kSideMax) {
    return unreadable("A board has 1 to 30 rows and columns, not " + std::to_string(rows) +
                      " and " + std::to_string(columns) + ".");
  }
  return Setting{.rows = static_cast<std::uint8_t>(rows),
                 .columns = static_cast<std::uint8_t>(columns),
                 .colours = samegame::kColoursMax,
                 .penalty = samegame::Penalty::kRemaining};
}

/// The number of rows or columns, which may be given once more.
Expected<void> check_size(const Json& question, const std::string& field, std::uint8_t size) {
  if (!question.contains(field)) return {};
  const Expected<std::uint64_t> given = read_number(question, field);
  if (!given) return std::unexpected(given.error());
  if (*given != size) return unreadable("'" + field + "' is not the size of 'board'.");
  return {};
}

}  // namespace

Expected<State> read_samegame_state(const Json& question) {
  const Expected<Setting> setting = read_size(question);
  if (!setting) return std::unexpected(setting.error());
  auto checked = check_size(question, "rows", setting->rows);
  if (checked) checked = check_size(question, "cols", setting->columns);
  if (!checked) return std::unexpected(checked.error());
  std::vector<Colour> colours;
  for (const Json& row : question["board"]) {
    if (!row.is_array() || row.size() != setting->columns) {
      return unreadable("The rows of 'board' must be lists of the same length.");
    }
    for (const Json& value : row) {
      const Expected<Colour> colour = read_colour(value);
      if (!colour) return std::unexpected(colour.error());
      colours.push_back(*colour);
    }
  }
  if (const auto settled = validate_settled(*setting, colours); !settled) {
    return std::unexpected(settled.error());
  }
  return State{.setting = *setting,
               .board = samegame::board_of<samegame::LargeBoard>(*setting, colours)};
}

}  // namespace tesela::cli
