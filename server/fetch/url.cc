#include "server/fetch/url.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace tesela::fetch {
namespace {

constexpr std::size_t kUrlBytesMax = 2048;

/// Of a path and a query (RFC 3986): no space, and nothing that could end a line of HTTP.
bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return c > ' ' && c <= '~' &&
           std::string_view("\"#<>\\^`{|}").find(c) == std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && port != 0;
}

bool is_host(std::string_view host, bool bracketed) {
  const std::string_view more = bracketed ? ":." : "-.";
  return !host.empty() && std::ranges::all_of(host, [more](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || more.find(c) != std::string::npos;
  });
}

}  // namespace

std::optional<Url> Url::parse(std::string_view text) {
  constexpr std::array<std::string_view, 3> kHere{"localhost", "127.0.0.1", "::1"};
  auto url = parse_inside(text);
  const bool here = url && std::ranges::find(kHere, url->host) != kHere.end();
  return url && (url->tls || here) ? url : std::nullopt;
}

std::optional<Url> Url::parse_inside(std::string_view text) {
  if (text.size() > kUrlBytesMax || !is_printable(text)) return std::nullopt;
  Url url;
  url.tls = text.starts_with("https://");
  if (!url.tls && !text.starts_with("http://")) return std::nullopt;
  text.remove_prefix(url.tls ? 8 : 7);
  const std::size_t path = std::min(text.find_first_of("/?"), text.size());
  const std::string_view authority = text.substr(0, path);
  const bool bracketed = authority.starts_with('[');
  const std::size_t host_end = bracketed ? authority.find(']') : authority.find(':');
  url.host = lower(authority.substr(0, host_end));
  if (bracketed) url.host.erase(0, 1);
  std::string_view rest = host_end == std::string_view::npos ? "" : authority.substr(host_end);
  if (bracketed && !rest.starts_with(']')) return std::nullopt;
  if (bracketed) rest.remove_prefix(1);
  url.port = rest.empty() ? (url.tls ? "443" : "80") : std::string(rest.substr(1));
  if (!is_host(url.host, bracketed) || !is_port(url.port)) return std::nullopt;
  if (!rest.empty() && !rest.starts_with(':')) return std::nullopt;
  url.target = text.substr(path);
  if (!url.target.starts_with('/')) url.target.insert(0, 1, '/');
  return url;
}

std::string Url::authority() const {
  const bool v6 = host.find(':') != std::string::npos;
  const std::string name = v6 ? "[" + host + "]" : host;
  return port == (tls ? "443" : "80") ? name : name + ":" + port;
}

}  // namespace tesela::fetch
