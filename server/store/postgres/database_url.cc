#include "server/store/postgres/database_url.h"

#include <libpq-fe.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ranges>
#include <string_view>
#include <system_error>

#include "server/base/store_limits.h"
#include "server/base/text_encoding.h"

namespace tesela::store::postgres {
namespace {

bool is_url(const std::string& text) {
  return text.starts_with("postgres://") || text.starts_with("postgresql://");
}

/// Whether no part of the password can be taken for another part. libpq ends it at the first @, or
/// begins none where a / comes before that: it would name the rest as a host, a port or a database.
bool has_clear_parts(std::string_view url) {
  constexpr auto kNone = std::string_view::npos;
  const std::string_view parts = url.substr(url.find("://") + 3);
  const auto at = parts.find('@');
  const std::string_view user = parts.substr(0, at == kNone ? 0 : at);
  const std::string_view place = parts.substr(at == kNone ? 0 : at + 1);
  const std::string_view path = place.substr(0, place.find('?'));
  return user.find('/') == kNone && place.find('@') == kNone && std::ranges::count(path, '/') <= 1;
}

/// Whether `text` is a list of ports; an empty one is the usual port.
bool are_ports(std::string_view text) {
  return std::ranges::all_of(std::views::split(text, ','), [](auto part) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), port);
    return part.empty() || (error == std::errc{} && end == part.data() + part.size() && port > 0);
  });
}

/// Whether libpq reads `url` as it was meant. Afterwards its messages name no part of the password.
bool is_well_formed(const std::string& url) {
  if (!has_clear_parts(url)) return false;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(
      PQconninfoParse(url.c_str(), nullptr), PQconninfoFree);
  const PQconninfoOption* option = parsed.get();
  if (option == nullptr) return false;
  for (; option->keyword != nullptr; ++option) {
    const bool is_port = std::string_view{option->keyword} == "port";
    if (is_port && option->val != nullptr && !are_ports(option->val)) return false;
  }
  return true;
}

/// The line of the file. What cannot be read may be a URL that begins wrongly: it is not shown.
Expected<std::string> line_in(const std::filesystem::path& path, const std::string& option) {
  std::ifstream file(path, std::ios::binary);
  std::string text(limits::kDatabaseFileBytesMax + 1, '\0');
  if (!file.is_open()) {
    return refuse(ErrorCode::kNotFound,
                  "What " + option +
                      " names is no URL, which begins with postgres://, and no file "
                      "that can be read: " +
                      std::generic_category().message(errno) + ".");
  }
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const bool is_short = text.size() <= limits::kDatabaseFileBytesMax;
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  text = base::without_mark(text);
  if (is_short && is_url(text)) return text;
  return refuse(ErrorCode::kInvalidArgument,
                "The file of " + option + ", " + path.string() +
                    ", must hold one line: postgres://USER:PASSWORD@HOST/DATABASE.");
}

}  // namespace

Expected<std::string> database_url(const std::string& database, const std::string& option) {
  auto url = is_url(database) ? Expected<std::string>(database) : line_in(database, option);
  if (!url || is_well_formed(*url)) return url;
  return refuse(ErrorCode::kInvalidArgument,
                "The URL of " + option +
                    " cannot be read: it must be postgres://USER:PASSWORD@HOST:PORT/DATABASE. "
                    "Percent-encode the password and what else is special in it: %25 for %, %2F "
                    "for /, %3A for :, %40 for @.");
}

}  // namespace tesela::store::postgres
