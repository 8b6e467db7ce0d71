#include "server/lobby/shown_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "server/net/limits.h"

namespace tesela::lobby {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// What cannot be seen or changes how its neighbours are seen: the categories Cc, Cf, Zl, Zp, Co, Cs
// and the non-characters of Unicode 15, and the letters that are drawn as blanks. In ascending
// order.
constexpr std::array kInvisible{
    Range{0x0000, 0x001f},   Range{0x007f, 0x009f},   Range{0x00ad, 0x00ad},
    Range{0x034f, 0x034f},   Range{0x0600, 0x0605},   Range{0x061c, 0x061c},
    Range{0x06dd, 0x06dd},   Range{0x070f, 0x070f},   Range{0x0890, 0x0891},
    Range{0x08e2, 0x08e2},   Range{0x115f, 0x1160},   Range{0x17b4, 0x17b5},
    Range{0x180b, 0x180f},   Range{0x200b, 0x200f},   Range{0x2028, 0x202e},
    Range{0x2060, 0x206f},   Range{0x2800, 0x2800},   Range{0x3164, 0x3164},
    Range{0xd800, 0xf8ff},   Range{0xfdd0, 0xfdef},   Range{0xfe00, 0xfe0e},
    Range{0xfeff, 0xfeff},   Range{0xffa0, 0xffa0},   Range{0xfff0, 0xfffb},
    Range{0xfffe, 0xffff},   Range{0x110bd, 0x110bd}, Range{0x110cd, 0x110cd},
    Range{0x13430, 0x1343f}, Range{0x1bca0, 0x1bca3}, Range{0x1d173, 0x1d17a},
    Range{0xe0000, 0x10ffff}};

constexpr std::array kSpaces{Range{0x0009, 0x000d}, Range{0x0020, 0x0020}, Range{0x0085, 0x0085},
                             Range{0x00a0, 0x00a0}, Range{0x1680, 0x1680}, Range{0x2000, 0x200a},
                             Range{0x2028, 0x2029}, Range{0x202f, 0x202f}, Range{0x205f, 0x205f},
                             Range{0x3000, 0x3000}};

// Makes the character before it an emoji; on its own it is nothing.
constexpr char32_t kEmojiSelector = 0xfe0f;

bool among(std::span<const Range> ranges, char32_t c) {
  const auto range = std::ranges::lower_bound(ranges, c, {}, &Range::last);
  return range != ranges.end() && range->first <= c;
}

struct Character {
  char32_t code;
  std::size_t begin;  // in bytes
  std::size_t end;
};

// The character that begins at `at`, or nothing where UTF-8 is broken (RFC 3629).
std::optional<Character> decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t size = lead < 0x80   ? 1
                           : lead < 0xc2 ? 0
                           : lead < 0xe0 ? 2
                           : lead < 0xf0 ? 3
                                         : 4;
  if (size == 0 || lead > 0xf4 || at + size > text.size()) return std::nullopt;
  char32_t code = size == 1 ? lead : lead & (0x7fU >> size);
  for (std::size_t i = at + 1; i < at + size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return std::nullopt;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    return std::nullopt;
  }
  return Character{code, at, at + size};
}

std::optional<std::vector<Character>> decode_all(std::string_view text) {
  std::vector<Character> characters;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = decode(text, at);
    if (!character) return std::nullopt;
    characters.push_back(*character);
    at = character->end;
  }
  return characters;
}

std::unexpected<Error> refuse_name(std::string sentence) {
  return refuse(ErrorCode::kInvalidArgument, std::move(sentence));
}

}  // namespace

Expected<std::string> shown_name(std::string_view name) {
  const auto characters = decode_all(name);
  if (!characters) return refuse_name("The name is not valid UTF-8.");
  const auto blank = [](const Character& c) { return among(kSpaces, c.code); };
  const auto first = std::ranges::find_if_not(*characters, blank);
  const auto last = std::find_if_not(characters->rbegin(), characters->rend(), blank).base();
  if (first == characters->end()) {
    return refuse_name("The name is empty; it needs at least one character.");
  }
  const auto invisible = [](const Character& c) { return among(kInvisible, c.code); };
  if (first->code == kEmojiSelector || std::any_of(first, last, invisible)) {
    return refuse_name("The name has characters that cannot be shown; leave them out.");
  }
  if (static_cast<std::size_t>(last - first) > limits::kDisplayNameMax) {
    return refuse_name("The name has " + std::to_string(last - first) + " characters; at most " +
                       std::to_string(limits::kDisplayNameMax) + " are allowed.");
  }
  return std::string{name.substr(first->begin, (last - 1)->end - first->begin)};
}

}  // namespace tesela::lobby
