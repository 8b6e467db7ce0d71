// UTF-8 (RFC 3629), base 64 (RFC 4648), and ids as text. Any thread.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/ids.h"

namespace tesela::base {

/// One code point of a text, and the bytes that encode it: [begin, end).
struct Character {
  char32_t code;
  std::size_t begin;
  std::size_t end;
};

/// The code point that begins at byte `at` (below text.size()); empty where the bytes are not valid
/// UTF-8.
[[nodiscard]] std::optional<Character> character_at(std::string_view text, std::size_t at);

[[nodiscard]] bool is_utf8(std::string_view text);

/// What some programs put before a text in UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
/// The text without it.
[[nodiscard]] constexpr std::string_view without_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

/// The longest prefix of whole code points that fits into `bytes_max`. It ends before the first
/// invalid byte.
[[nodiscard]] std::string_view cut_text(std::string_view text, std::size_t bytes_max);

/// With the standard alphabet, without padding.
[[nodiscard]] std::string encode_base64(std::string_view bytes);
/// With the alphabet for URLs and file names, without padding.
[[nodiscard]] std::string encode_base64url(std::string_view bytes);

/// Accepts both alphabets, padded or not. Empty when `text` is neither, or when its unused bits are
/// not zero, so that each value has one text.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

/// Characters of an id as text: Crockford's base 32, lower case
/// (https://www.crockford.com/base32.html).
inline constexpr std::size_t kIdTextSize = 13;

/// Any id, but no counter.
template <class T>
concept Id = std::same_as<typename T::rep, std::uint64_t> && !std::same_as<T, Version> &&
             !std::same_as<T, Epoch>;

/// The number of an id, in 1..2^63 - 1, as text.
[[nodiscard]] std::string number_text(std::uint64_t value);
template <Id T>
[[nodiscard]] std::string to_text(T id) {
  return number_text(id.value);
}

/// Accepts what to_text returns, also in upper case. Empty for anything else.
[[nodiscard]] std::optional<std::uint64_t> parse_number(std::string_view text);
template <Id T>
[[nodiscard]] std::optional<T> parse_id(std::string_view text) {
  return parse_number(text).transform([](std::uint64_t value) { return T{value}; });
}

}  // namespace tesela::base
