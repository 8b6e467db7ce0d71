// Pages of lists: how long they are, and where one ended, as clients hand it back: opaque text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "server/base/limits.h"
#include "server/store/store.h"

namespace tesela::services {

[[nodiscard]] std::string to_page_token(const store::TableCursor& cursor);
[[nodiscard]] std::string to_page_token(const store::PlayerCursor& cursor);
[[nodiscard]] std::string to_page_token(const store::BoardCursor& cursor);

/// Where a page that ends with this row has ended.
[[nodiscard]] store::TableCursor cursor_at(const store::TableRow& row);
[[nodiscard]] store::PlayerCursor cursor_at(const store::PlayerRow& row);
[[nodiscard]] store::BoardCursor cursor_at(const store::BoardEntry& row);

/// Where the page begins that a request asks for; empty: it is the first. Error: kInvalidArgument
/// for anything that to_page_token never gives.
[[nodiscard]] Expected<std::optional<store::TableCursor>> table_page_start(std::string_view token);
[[nodiscard]] Expected<std::optional<store::PlayerCursor>> player_page_start(
    std::string_view token);
[[nodiscard]] Expected<std::optional<store::BoardCursor>> board_page_start(std::string_view token);

/// Of rows, one more of which was read than a page has if there are more: leaves those of the page
/// and gives the token of the next; empty on the last one.
template <class Row>
[[nodiscard]] std::string cut_page(std::vector<Row>& rows, std::size_t size) {
  if (rows.size() <= size) return {};
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(size), rows.end());
  return to_page_token(cursor_at(rows.back()));
}

/// Counts the bytes of a page's rows: one that would be too large ends earlier.
class PageRoom {
 public:
  /// Whether a row of so many bytes, encoded, goes onto the page; the first always does.
  [[nodiscard]] bool takes(std::size_t row_bytes) {
    const bool first = bytes_ == 0;
    bytes_ += row_bytes;
    return first || bytes_ <= limits::kPageBytesMax;
  }

 private:
  std::size_t bytes_ = 0;
};

/// The lines of a page for which `asked` were asked; 0 asks for none in particular. Error:
/// kInvalidArgument for more than there may be.
[[nodiscard]] Expected<std::size_t> page_size_of(std::uint32_t asked);

/// The error for a token that cannot be parsed.
[[nodiscard]] std::unexpected<Error> bad_page_token();

}  // namespace tesela::services
