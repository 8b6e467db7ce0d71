#include "server/net/http/header_values.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <cstdlib>
#include <ranges>

namespace tesela::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::iequals;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

bool is_token(std::string_view text) {
  const http::token_list tokens{text};
  return tokens.begin() != tokens.end() && std::string_view{*tokens.begin()} == text;
}

bool is_framing(http::field name) {
  return name == http::field::host || name == http::field::content_length ||
         name == http::field::transfer_encoding;
}

}  // namespace

void join_lines(http::fields& headers) {
  std::vector<std::string> again;  // names of lines that are not the first of their name
  for (const auto& line : headers) {
    const bool first = &*headers.find(line.name_string()) == &line;
    if (!first && !is_framing(line.name())) again.emplace_back(line.name_string());
  }
  for (const std::string& name : again) {
    std::string all;
    for (auto [at, end] = headers.equal_range(name); at != end; ++at) {
      const std::string_view line = at->value();
      if (all == line) continue;
      if (!all.empty()) all += ", ";
      all += line;
    }
    headers.set(name, all);
  }
}

std::vector<std::string_view> elements_of(std::string_view list) {
  std::vector<std::string_view> elements;
  for (const auto part : list | std::views::split(',')) {
    const std::string_view element = trimmed({part.begin(), part.end()});
    if (!element.empty()) elements.push_back(element);
  }
  return elements;
}

std::optional<MediaType> parse_media_type(std::string_view value) {
  const std::size_t end = std::min(value.find(';'), value.size());
  const std::string_view name = trimmed(value.substr(0, end));
  const std::size_t slash = std::min(name.find('/'), name.size());
  if (!is_token(name.substr(0, slash)) || slash == name.size() ||
      !is_token(name.substr(slash + 1))) {
    return std::nullopt;
  }
  MediaType type{.name = name};
  for (const auto& [key, text] : http::param_list{value.substr(end)}) {
    if (iequals(key, "charset") && type.charset.empty()) type.charset = std::string{text};
    if (iequals(key, "q")) type.weight = std::strtod(std::string{text}.c_str(), nullptr);
  }
  return type;
}

}  // namespace tesela::net
