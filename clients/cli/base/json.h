// Writes JSON, and reads positions and questions in JSON. What is missing
// or has the wrong type is refused with a sentence that names it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <span>
#include <string>

#include "engine/core/result.h"

namespace tesela::cli {

/// Objects keep the order of their fields.
using Json = nlohmann::ordered_json;

/// kInvalidArgument, with a sentence that says what was wrong and what would be right.
[[nodiscard]] std::unexpected<Error> unreadable(std::string message);

/// A whole number that is not negative.
[[nodiscard]] Expected<std::uint64_t> read_number(const Json& object, const std::string& field);

/// Reads a document with many fields. After the first error every value reads as the lowest allowed
/// number, an empty list or an empty object, so that the caller reads to the end and then checks
/// `failed`. Error messages use the names that the caller gives.
class JsonReader {
 public:
  /// The field of an object.
  [[nodiscard]] const Json& field(const Json& object, const std::string& name);
  /// A list of `least` to `most` items.
  [[nodiscard]] std::span<const Json> list(const Json& value, const std::string& name,
                                           std::size_t least, std::size_t most);
  /// The item of such a list, which has it unless there was an error.
  [[nodiscard]] const Json& item(std::span<const Json> list, std::size_t index) const;
  /// A whole number from `least` to `most`.
  [[nodiscard]] int number(const Json& value, const std::string& name, int least, int most);
  /// True or false.
  [[nodiscard]] bool boolean(const Json& value, const std::string& name);

  /// Records an error, if it is the first.
  void refuse(std::string message);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  /// Only when it has failed.
  [[nodiscard]] std::unexpected<Error> error() const { return std::unexpected(*error_); }

 private:
  const Json nothing_;
  std::optional<Error> error_;
};

/// Rows of numbers: `number(cell)` for each of the cells, which are row-major in `columns`.
template <std::ranges::random_access_range Cells, class Number>
[[nodiscard]] Json rows_json(const Cells& cells, std::size_t columns, Number&& number) {
  Json rows = Json::array();
  for (std::size_t cell = 0; cell < std::ranges::size(cells); ++cell) {
    if (cell % columns == 0) rows.push_back(Json::array());
    rows.back().push_back(number(std::ranges::begin(cells)[static_cast<std::ptrdiff_t>(cell)]));
  }
  return rows;
}

/// A flat index as [row, column].
[[nodiscard]] inline Json place_json(std::size_t cell, std::size_t columns) {
  return Json::array({cell / columns, cell % columns});
}

}  // namespace tesela::cli
