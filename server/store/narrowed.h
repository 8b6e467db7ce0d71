// Numbers of rows as the small types that they were written from.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace tesela::store {

/// `stored` as an enumeration whose least and greatest values these are, or as a small integer.
/// Empty: nobody has written it, so that the row is damaged.
template <class T>
[[nodiscard]] constexpr std::optional<T> narrowed(std::int64_t stored, T least, T greatest) {
  if constexpr (std::is_enum_v<T>) {
    const auto number = narrowed(stored, std::to_underlying(least), std::to_underlying(greatest));
    return number ? std::optional{static_cast<T>(*number)} : std::nullopt;
  } else {
    if (std::cmp_less(stored, least) || std::cmp_greater(stored, greatest)) return std::nullopt;
    return static_cast<T>(stored);
  }
}

template <class T>
  requires std::is_integral_v<T>
[[nodiscard]] constexpr std::optional<T> narrowed(std::int64_t stored) {
  return narrowed(stored, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

}  // namespace tesela::store
