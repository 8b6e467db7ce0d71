#include "clients/cli/base/rules_json.h"

namespace tesela::cli {
std::unexpected<Error> unreadable(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

Expected<std::uint64_t> read_number(const Json& question, const std::string& field) {
  const auto found = question.find(field);
  if (found == question.end() || !found->is_number_unsigned()) {
    return unreadable("'" + field + "' must be a whole number that is not negative.");
  }
  return found->get<std::uint64_t>();
}

Expected<NumberGrid> read_square_grid(const Json& question, const std::string& field) {
  const auto found = question.find(field);
  if (found == question.end() || !found->is_array()) {
    return unreadable("'" + field + "' must be a list of rows.");
  }
  NumberGrid grid;
  for (const Json& row : *found) {
    if (!row.is_array() || row.size() != found->size()) {
      return unreadable("'" + field +
                        "' must be square: each row a list as long as the list of rows.");
    }
    auto& numbers = grid.emplace_back();
    for (const Json& value : row) {
      if (!value.is_number_unsigned()) {
        return unreadable("The cells of '" + field +
                          "' must be whole numbers that are not negative.");
      }
      numbers.push_back(value.get<std::uint64_t>());
    }
  }
  return grid;
}

}  // namespace tesela::cli
