#include "server/ops/admin/operator_list.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <utility>

#include "server/accounts/secret_file.h"
#include "server/base/scale_limits.h"
#include "server/codec/shown_text.h"

namespace tesela::ops {
namespace {

constexpr accounts::SecretKind kOperators{"list of operators", "operators"};
constexpr std::array<std::string_view, 3> kRoles{"read", "moderate", "operate"};

std::optional<Role> role_of(std::string_view name) {
  const auto* const found = std::ranges::find(kRoles, name);
  if (found == kRoles.end()) return std::nullopt;
  return static_cast<Role>(found - kRoles.begin());
}

Expected<Operator> operator_of(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  std::string role_name;
  std::string token;
  std::string rest;
  words >> name >> role_name >> token;
  if (token.empty() || words >> rest) {
    return refuse(ErrorCode::kInvalidArgument, "must be NAME ROLE TOKEN.");
  }
  auto shown = codec::shown_text(name, limits::kOperatorNameMax, "the name");
  if (!shown) return std::unexpected(std::move(shown.error()));
  const auto role = role_of(role_name);
  if (!role) {
    return refuse(ErrorCode::kInvalidArgument,
                  "the role must be read, moderate or operate, not \"" + role_name + "\".");
  }
  if (auto fits = accounts::check_text_secret("the token", token); !fits) {
    return std::unexpected(std::move(fits.error()));
  }
  return Operator{.name = *std::move(shown), .role = *role, .token = std::move(token)};
}

}  // namespace

std::string_view name_of(Role role) {
  return kRoles.at(static_cast<std::size_t>(role));
}

Expected<std::vector<Operator>> read_operators(const std::filesystem::path& file) {
  const auto text = accounts::read_private_file(kOperators, file);
  if (!text) return std::unexpected(text.error());
  std::vector<Operator> operators;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    const std::string where = file.string() + ":" + std::to_string(number) + ": ";
    auto one = operator_of(line);
    if (!one) return refuse(ErrorCode::kInvalidArgument, where + one.error().message);
    const bool twice = std::ranges::any_of(operators, [&one](const Operator& other) {
      return other.name == one->name || other.token == one->token;
    });
    if (twice)
      return refuse(ErrorCode::kInvalidArgument, where + "the name or the token is there twice.");
    operators.push_back(*std::move(one));
  }
  return operators;
}

}  // namespace tesela::ops
