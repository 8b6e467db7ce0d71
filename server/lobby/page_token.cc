#include "server/lobby/page_token.h"

#include <cstdint>

#include "server/net/base64.h"
#include "server/net/limits.h"

namespace tesela::lobby {
namespace {

constexpr std::size_t kBytes = 8;

void append(std::uint64_t value, std::string& bytes) {
  for (unsigned shift = 64; shift > 0;) {
    shift -= 8;
    bytes += static_cast<char>(value >> shift & 255U);
  }
}

std::uint64_t read(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

template <class Cursor>
std::string to_token(const Cursor& cursor) {
  std::string bytes;
  append(static_cast<std::uint64_t>(cursor.created_ms), bytes);
  append(cursor.id.value, bytes);
  return net::encode_base64url(bytes);
}

template <class Cursor>
std::optional<Cursor> parse_token(std::string_view token) {
  const auto bytes = net::decode_base64(token);
  if (!bytes || bytes->size() != 2 * kBytes) return std::nullopt;
  const std::uint64_t created = read(std::string_view{*bytes}.substr(0, kBytes));
  const std::uint64_t id = read(std::string_view{*bytes}.substr(kBytes));
  if (created >> 63U != 0 || id >> 63U != 0 || id == 0) return std::nullopt;
  return Cursor{static_cast<std::int64_t>(created), {id}};
}

template <class Cursor>
Expected<std::optional<Cursor>> start_of(std::string_view token) {
  if (token.empty()) return std::nullopt;
  const auto cursor = parse_token<Cursor>(token);
  if (!cursor) return bad_page_token();
  return cursor;
}

}  // namespace

std::string to_page_token(const store::TableCursor& cursor) {
  return to_token(cursor);
}

std::string to_page_token(const store::PlayerCursor& cursor) {
  return to_token(cursor);
}

Expected<std::optional<store::TableCursor>> table_page_start(std::string_view token) {
  return start_of<store::TableCursor>(token);
}

Expected<std::optional<store::PlayerCursor>> player_page_start(std::string_view token) {
  return start_of<store::PlayerCursor>(token);
}

std::string to_place_token(std::uint64_t place) {
  std::string bytes;
  append(place, bytes);
  return net::encode_base64url(bytes);
}

std::optional<std::uint64_t> parse_place_token(std::string_view token) {
  const auto bytes = net::decode_base64(token);
  if (!bytes || bytes->size() != kBytes) return std::nullopt;
  const std::uint64_t place = read(*bytes);
  if (place >> 63U != 0 || place == 0) return std::nullopt;
  return place;
}

Expected<std::size_t> page_size_of(std::uint32_t asked) {
  if (asked > limits::kPageMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "page_size must be at most " + std::to_string(limits::kPageMax) + ".");
  }
  return asked == 0 ? limits::kPageDefault : asked;
}

std::unexpected<Error> bad_page_token() {
  return refuse(ErrorCode::kInvalidArgument,
                "page_token is not one of this server's; leave it empty for the first page.");
}

}  // namespace tesela::lobby
