#include "clients/cli/base/seed_text.h"

#include <openssl/sha.h>

#include <algorithm>
#include <charconv>
#include <random>

namespace tesela::cli {

Seed read_seed(std::string_view text) {
  Seed seed{};
  const auto is_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  if (text.size() == 2 * seed.size() && std::ranges::all_of(text, is_digit)) {
    for (std::size_t i = 0; i < seed.size(); ++i) {
      std::from_chars(&text[2 * i], &text[2 * i] + 2, seed[i], 16);
    }
    return seed;
  }
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), seed.data());
  return seed;
}

Seed random_seed() {
  std::random_device device;
  Seed seed{};
  std::ranges::generate(seed, [&] { return static_cast<std::uint8_t>(device()); });
  return seed;
}

std::string to_text(const Seed& seed) {
  return hex({reinterpret_cast<const char*>(seed.data()), seed.size()});
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char character : bytes) {
    const auto byte = static_cast<std::uint8_t>(character);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xfU];
  }
  return text;
}

}  // namespace tesela::cli
