#include "clients/cli/games/samegame/samegame_positions.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>

namespace tesela::cli {
namespace {

using samegame::Colour;

std::unexpected<Error> unreadable(std::size_t line, const std::string& why) {
  return refuse(ErrorCode::kInvalidArgument, "Line " + std::to_string(line) + " " + why);
}

Expected<std::vector<Colour>> read_row(std::string line, std::size_t number) {
  line.resize(std::min(line.find('#'), line.size()));
  std::istringstream words{line};
  std::vector<Colour> row;
  for (std::string word; words >> word;) {
    if (word.size() != 1 || word[0] < '0' || word[0] >= '0' + samegame::kColoursMax) {
      return unreadable(number, "holds '" + word + "', which is no colour from 0 to 8.");
    }
    row.push_back(static_cast<Colour>(word[0] - '0' + 1));
  }
  return row;
}

}  // namespace

Expected<std::vector<samegame::Config>> read_samegame_positions(std::istream& in) {
  std::vector<samegame::Config> positions;
  std::size_t side = 0;  // of the position that is being read; 0 between two
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    const auto row = read_row(line, ++number);
    if (!row) return std::unexpected(row.error());
    if (row->empty()) continue;
    if (side == 0) {
      side = row->size();
      if (side < samegame::kSideMin || side > samegame::kSideMax) {
        return unreadable(
            number, "has " + std::to_string(side) + " colours; a position has 2 to 30 columns.");
      }
      const auto sides = static_cast<std::uint8_t>(side);
      positions.push_back({.setting = {.rows = sides, .columns = sides}, .cells = {}});
    }
    if (row->size() != side) {
      return unreadable(number, "has " + std::to_string(row->size()) + " colours, not " +
                                    std::to_string(side) + " as the rows above it.");
    }
    samegame::Config& position = positions.back();
    position.cells.insert(position.cells.end(), row->begin(), row->end());
    position.setting.colours = std::max(position.setting.colours, std::ranges::max(position.cells));
    side = position.cells.size() == side * side ? 0 : side;
  }
  if (side != 0)
    return unreadable(number, "is the last, but a position has as many rows as columns.");
  if (positions.empty()) return refuse(ErrorCode::kInvalidArgument, "There is no position in it.");
  return positions;
}

}  // namespace tesela::cli
