// Who the operators are, and what each of them may do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace tesela::ops {

/// What an operator may do. Each role has what those before it have.
enum class Role : std::uint8_t {
  kRead,      // look
  kModerate,  // close reports and tables, act on players
  kOperate,   // all
};

[[nodiscard]] std::string_view name_of(Role role);

struct Operator {
  std::string name;  // empty: whoever has the admin token
  Role role{};
  std::string token;
};

/// Reads operators from a file, one a line: NAME ROLE TOKEN. A line that begins with # says
/// nothing. Errors: kNotFound when the file cannot be read; kInvalidArgument, with the number of
/// the line, for one that is not of this form, a token that is too short, and a name or a token
/// that is there twice; kInvalidArgument when others may read the file (accounts::read_secret).
[[nodiscard]] Expected<std::vector<Operator>> read_operators(const std::filesystem::path& file);

}  // namespace tesela::ops
