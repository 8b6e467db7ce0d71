#include "server/services/page_token.h"

#include <cstdint>

#include "server/base/bytes.h"
#include "server/base/limits.h"
#include "server/base/text_encoding.h"

namespace tesela::services {
namespace {

constexpr std::size_t kBytes = 8;

// Numbers are below 2^63 but for points, which may be negative.
bool is_number(std::uint64_t value) {
  return value >> 63U == 0;
}

/// The bytes of a token that has `numbers` of them; with a `rest`, at least those.
std::optional<std::string> bytes_of(std::string_view token, std::size_t numbers, bool rest) {
  auto bytes = base::decode_base64(token);
  if (!bytes || bytes->size() < numbers * kBytes) return std::nullopt;
  if (!rest && bytes->size() > numbers * kBytes) return std::nullopt;
  return bytes;
}

std::uint64_t number_at(const std::string& bytes, std::size_t index) {
  return base::from_big_endian(std::string_view{bytes}.substr(index * kBytes, kBytes));
}

}  // namespace

std::string to_page_token(const store::TableCursor& cursor) {
  std::string bytes;
  bytes += base::big_endian(static_cast<std::uint64_t>(cursor.created_ms));
  bytes += base::big_endian(cursor.id.value);
  return base::encode_base64url(bytes);
}

std::string to_page_token(const store::PlayerCursor& cursor) {
  std::string bytes;
  bytes += base::big_endian(static_cast<std::uint64_t>(cursor.created_ms));
  bytes += base::big_endian(cursor.id.value);
  return base::encode_base64url(bytes + cursor.display_name);
}

std::string to_page_token(const store::BoardCursor& cursor) {
  std::string bytes;
  bytes += base::big_endian(cursor.place);
  bytes += base::big_endian(static_cast<std::uint64_t>(cursor.points));
  bytes += base::big_endian(static_cast<std::uint64_t>(cursor.at_ms));
  bytes += base::big_endian(cursor.player.value);
  return base::encode_base64url(bytes);
}

store::TableCursor cursor_at(const store::TableRow& row) {
  return {.created_ms = row.created_ms, .id = row.id};
}

store::PlayerCursor cursor_at(const store::PlayerRow& row) {
  return {.created_ms = row.created_ms, .id = row.id, .display_name = row.display_name};
}

store::BoardCursor cursor_at(const store::BoardEntry& row) {
  return {.place = row.place, .points = row.points, .at_ms = row.at_ms, .player = row.player};
}

Expected<std::optional<store::TableCursor>> table_page_start(std::string_view token) {
  if (token.empty()) return std::nullopt;
  const auto bytes = bytes_of(token, 2, false);
  if (!bytes) return bad_page_token();
  const std::uint64_t created = number_at(*bytes, 0);
  const std::uint64_t id = number_at(*bytes, 1);
  if (!is_number(created) || !is_number(id) || id == 0) return bad_page_token();
  return store::TableCursor{.created_ms = static_cast<std::int64_t>(created), .id = TableId{id}};
}

Expected<std::optional<store::PlayerCursor>> player_page_start(std::string_view token) {
  if (token.empty()) return std::nullopt;
  const auto bytes = bytes_of(token, 2, true);
  if (!bytes) return bad_page_token();
  const std::uint64_t created = number_at(*bytes, 0);
  const std::uint64_t id = number_at(*bytes, 1);
  if (!is_number(created) || !is_number(id) || id == 0) return bad_page_token();
  return store::PlayerCursor{.created_ms = static_cast<std::int64_t>(created),
                             .id = PlayerId{id},
                             .display_name = bytes->substr(2 * kBytes)};
}

Expected<std::optional<store::BoardCursor>> board_page_start(std::string_view token) {
  if (token.empty()) return std::nullopt;
  const auto bytes = bytes_of(token, 4, false);
  if (!bytes) return bad_page_token();
  const std::uint64_t place = number_at(*bytes, 0);
  const std::uint64_t at_ms = number_at(*bytes, 2);
  const std::uint64_t player = number_at(*bytes, 3);
  if (!is_number(place) || place == 0 || !is_number(at_ms) || !is_number(player) || player == 0) {
    return bad_page_token();
  }
  return store::BoardCursor{.place = place,
                            .points = static_cast<std::int64_t>(number_at(*bytes, 1)),
                            .at_ms = static_cast<std::int64_t>(at_ms),
                            .player = PlayerId{player}};
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

}  // namespace tesela::services
