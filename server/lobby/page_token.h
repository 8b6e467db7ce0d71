// Pages of lists: how long they are, and where one ended, as clients hand it back: opaque text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/store/store.h"

namespace tesela::lobby {

[[nodiscard]] std::string to_page_token(const store::TableCursor& cursor);

/// Empty for anything that to_page_token never gives.
[[nodiscard]] std::optional<store::TableCursor> parse_page_token(std::string_view token);

/// The same for a board: the place at which the next page begins, from 1.
[[nodiscard]] std::string to_place_token(std::uint64_t place);
[[nodiscard]] std::optional<std::uint64_t> parse_place_token(std::string_view token);

/// The lines of a page for which `asked` were asked; 0 asks for none in particular. Error:
/// kInvalidArgument for more than there may be.
[[nodiscard]] Expected<std::size_t> page_size_of(std::uint32_t asked);

/// What a token that no parse function knows is answered with.
[[nodiscard]] std::unexpected<Error> bad_page_token();

}  // namespace tesela::lobby
