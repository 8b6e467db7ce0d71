#include "server/codec/shown_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"

namespace tesela::codec {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Characters that are invisible or change their neighbours: the categories Cc, Cf, Zl, Zp, Co, Cs
// and the non-characters of Unicode 15, and letters that are rendered as blanks. In ascending
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

// Combining marks that stack on any letter. Marks of a single script belong to its spelling.
constexpr std::array kMarks{Range{0x0300, 0x036f}, Range{0x0483, 0x0489}, Range{0x1ab0, 0x1aff},
                            Range{0x1dc0, 0x1dff}, Range{0x20d0, 0x20ff}, Range{0xfe20, 0xfe2f}};

// The scripts whose letters look alike.
// Source: Unicode Technical Standard 39, section 5.2, whose "highly restrictive" level has no mix
// of them.
constexpr std::array kLatin{Range{0x0041, 0x005a}, Range{0x0061, 0x007a}, Range{0x00aa, 0x00aa},
                            Range{0x00ba, 0x00ba}, Range{0x00c0, 0x00d6}, Range{0x00d8, 0x00f6},
                            Range{0x00f8, 0x02b8}, Range{0x1e00, 0x1eff}, Range{0x2c60, 0x2c7f},
                            Range{0xa722, 0xa787}, Range{0xab30, 0xab64}, Range{0xff21, 0xff3a},
                            Range{0xff41, 0xff5a}};
constexpr std::array kGreek{Range{0x0370, 0x037d}, Range{0x037f, 0x03ff}, Range{0x1f00, 0x1fff}};
constexpr std::array kCyrillic{Range{0x0400, 0x0482}, Range{0x048a, 0x052f}, Range{0x1c80, 0x1c8f},
                               Range{0xa640, 0xa66e}, Range{0xa680, 0xa69b}};

// The emoji variation selector; invisible on its own.
constexpr char32_t kEmojiSelector = 0xfe0f;

bool among(std::span<const Range> ranges, char32_t c) {
  const auto range = std::ranges::lower_bound(ranges, c, {}, &Range::last);
  return range != ranges.end() && range->first <= c;
}

using Characters = std::vector<base::Character>;

std::optional<Characters> decode_all(std::string_view text) {
  Characters characters;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = base::character_at(text, at);
    if (!character) return std::nullopt;
    characters.push_back(*character);
    at = character->end;
  }
  return characters;
}

bool is_blank(const base::Character& c) {
  return among(kSpaces, c.code);
}

std::span<const base::Character> trimmed(std::span<const base::Character> characters) {
  const auto first = std::ranges::find_if_not(characters, is_blank);
  const auto backwards = std::views::reverse(characters);
  const auto last = std::ranges::find_if_not(backwards, is_blank).base();
  if (first == characters.end()) return {};
  return {first, last};
}

Characters single_spaced(std::span<const base::Character> characters) {
  Characters kept;
  for (const base::Character& c : characters) {
    if (!is_blank(c) || !is_blank(kept.back())) kept.push_back(c);
  }
  return kept;
}

bool any_among(std::span<const base::Character> characters, std::span<const Range> ranges) {
  return std::ranges::any_of(characters,
                             [&](const base::Character& c) { return among(ranges, c.code); });
}

std::size_t most_marks_on_a_letter(std::span<const base::Character> characters) {
  std::size_t marks = 0;
  std::size_t most = 0;
  for (const base::Character& c : characters) {
    marks = among(kMarks, c.code) ? marks + 1 : 0;
    most = std::max(most, marks);
  }
  return most;
}

bool mixes_alphabets(std::span<const base::Character> characters) {
  return int{any_among(characters, kLatin)} + int{any_among(characters, kGreek)} +
             int{any_among(characters, kCyrillic)} >
         1;
}

std::unexpected<Error> refused(std::string_view what, const std::string& why) {
  return refuse(ErrorCode::kInvalidArgument, "The " + std::string(what) + why);
}

Expected<void> check_seen(std::span<const base::Character> text, std::string_view what) {
  if (text.empty()) return refused(what, " is empty; it needs at least one character.");
  // At the beginning, a combining character would attach to the text before it.
  const bool leans = text.front().code == kEmojiSelector || among(kMarks, text.front().code);
  if (leans || any_among(text, kInvisible)) {
    return refused(what, " has characters that cannot be shown; leave them out.");
  }
  return {};
}

Expected<void> check_size(std::span<const base::Character> text, std::size_t max,
                          std::string_view what) {
  if (text.size() > max) {
    return refused(what, " has " + std::to_string(text.size()) + " characters; at most " +
                             std::to_string(max) + " are allowed.");
  }
  if (most_marks_on_a_letter(text) > limits::kMarksMax) {
    return refused(what, " has a letter with more than " + std::to_string(limits::kMarksMax) +
                             " marks; leave some out.");
  }
  return {};
}

}  // namespace

Expected<std::string> shown_text(std::string_view text, std::size_t max, std::string_view what) {
  const auto all = decode_all(text);
  if (!all) return refused(what, " is not valid UTF-8.");
  const auto inner = trimmed(*all);
  if (auto seen = check_seen(inner, what); !seen) return std::unexpected(std::move(seen.error()));
  const Characters kept = single_spaced(inner);
  if (auto fit = check_size(kept, max, what); !fit) return std::unexpected(std::move(fit.error()));
  std::string shown;
  for (const base::Character& c : kept) {
    shown += is_blank(c) ? std::string_view{" "} : text.substr(c.begin, c.end - c.begin);
  }
  return shown;
}

Expected<std::string> shown_name(std::string_view name) {
  auto shown = shown_text(name, limits::kDisplayNameMax, "name");
  if (shown && mixes_alphabets(*decode_all(*shown))) {
    return refused(
        "name", " has letters of several of Latin, Greek and Cyrillic, which look alike; use one.");
  }
  return shown;
}

}  // namespace tesela::codec
