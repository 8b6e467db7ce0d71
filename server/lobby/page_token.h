// Pages of lists: how long they are, and where one ended, as clients hand it back: opaque text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "server/store/store.h"

namespace tesela::lobby {

[[nodiscard]] std::string to_page_token(const store::TableCursor& cursor);
[[nodiscard]] std::string to_page_token(const store::PlayerCursor& cursor);

/// Where the page begins that a request asks for; empty: it is the first. Error: kInvalidArgument
/// for anything that to_page_token never gives.
[[nodiscard]] Expected<std::optional<store::TableCursor>> table_page_start(std::string_view token);
[[nodiscard]] Expected<std::optional<store::PlayerCursor>> player_page_start(
    std::string_view token);

/// Of rows, one more of which was read than a page has if there are more: leaves those of the page
/// and gives the token of the next; empty on the last one.
template <class Row>
[[nodiscard]] std::string cut_page(std::vector<Row>& rows, std::size_t size) {
  if (rows.size() <= size) return {};
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(size), rows.end());
  return to_page_token({rows.back().created_ms, rows.back().id});
}

/// The same for a board: the place at which the next page begins, from 1.
[[nodiscard]] std::string to_place_token(std::uint64_t place);
[[nodiscard]] std::optional<std::uint64_t> parse_place_token(std::string_view token);

/// The lines of a page for which `asked` were asked; 0 asks for none in particular. Error:
/// kInvalidArgument for more than there may be.
[[nodiscard]] Expected<std::size_t> page_size_of(std::uint32_t asked);

/// What a token that no parse function knows is answered with.
[[nodiscard]] std::unexpected<Error> bad_page_token();

}  // namespace tesela::lobby
