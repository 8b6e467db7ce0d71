#include "server/archive/move_id_model.h"

#include <algorithm>
#include <charconv>

namespace tesela::archive {
namespace {

/// Where the dashes of a UUID stand.
constexpr std::array<std::size_t, 4> kDashes{8, 13, 18, 23};
constexpr std::size_t kDigitCount = 32;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

}  // namespace

std::optional<MoveIdModel::Counted> MoveIdModel::counted(std::string_view id) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t begin = id.size();
  while (begin > 0 && id.size() - begin < kNumberDigitsMax && is_digit(id[begin - 1])) --begin;
  if (begin == id.size()) return std::nullopt;
  // A number is written without zeros before it: those belong to the text.
  while (begin + 1 < id.size() && id[begin] == '0') ++begin;
  Counted counted{.prefix = id.substr(0, begin), .number = 0};
  std::from_chars(id.data() + begin, id.data() + id.size(), counted.number);
  return counted;
}

std::optional<std::string> MoveIdModel::digits_of(std::string_view id, Form form) {
  std::string digits(id);
  if (form == Form::kUuid) {
    if (id.size() != kDigitCount + kDashes.size()) return std::nullopt;
    for (const std::size_t at : kDashes) {
      if (id[at] != '-') return std::nullopt;
    }
    std::erase(digits, '-');
  }
  if (digits.size() != kDigitCount || !std::ranges::all_of(digits, is_hex)) return std::nullopt;
  return digits;
}

MoveIdModel::Form MoveIdModel::form_of(std::string_view id) {
  if (digits_of(id, Form::kHex)) return Form::kHex;
  if (digits_of(id, Form::kUuid)) return Form::kUuid;
  return counted(id) ? Form::kCounted : Form::kText;
}

std::string MoveIdModel::with_dashes(std::string_view digits) {
  std::string id(digits);
  for (const std::size_t at : kDashes) id.insert(at, 1, '-');
  return id;
}

std::size_t MoveIdModel::place_of(std::string_view prefix) const {
  const auto found = places_.find(std::string(prefix));
  return found == places_.end() ? 0 : found->second;
}

}  // namespace tesela::archive
