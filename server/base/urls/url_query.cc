#include "server/base/urls/url_query.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace tesela::base {
namespace {

constexpr std::string_view kUnreserved =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
constexpr std::string_view kHexDigits = "0123456789ABCDEF";

std::optional<std::string> decoded(std::string_view text) {
  constexpr std::size_t kDigits = 2;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (text.size() - i <= kDigits) return std::nullopt;
    const char* const digits = text.data() + i + 1;
    unsigned char byte = 0;
    if (std::from_chars(digits, digits + kDigits, byte, 16).ptr != digits + kDigits) {
      return std::nullopt;
    }
    bytes += static_cast<char>(byte);
    i += kDigits;
  }
  return bytes;
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (kUnreserved.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHexDigits[byte >> 4U];
    out += kHexDigits[byte & 15U];
  }
  return out;
}

std::optional<std::vector<std::pair<std::string_view, std::string>>> query_fields(
    std::string_view query) {
  std::vector<std::pair<std::string_view, std::string>> fields;
  while (!query.empty()) {
    const std::string_view field = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(field.size() + 1, query.size()));
    const std::string_view name = field.substr(0, field.find('='));
    auto value = decoded(field.substr(std::min(name.size() + 1, field.size())));
    if (!value) return std::nullopt;
    fields.emplace_back(name, *std::move(value));
  }
  return fields;
}

}  // namespace tesela::base
