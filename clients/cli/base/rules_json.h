// Fields of the questions that `tesela rules` reads: what is missing or has the wrong type is
// refused with a sentence that names it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace tesela::cli {

/// Objects keep the order of their fields.
using Json = nlohmann::ordered_json;

/// kInvalidArgument, with a sentence that says what was wrong and what would be right.
[[nodiscard]] std::unexpected<Error> unreadable(std::string message);

/// A whole number that is not negative.
[[nodiscard]] Expected<std::uint64_t> read_number(const Json& question, const std::string& field);

/// Rows of whole numbers that are not negative, as many in each row as there are rows.
using NumberGrid = std::vector<std::vector<std::uint64_t>>;
[[nodiscard]] Expected<NumberGrid> read_square_grid(const Json& question, const std::string& field);

}  // namespace tesela::cli
