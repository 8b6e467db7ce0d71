// Seeds as people write them.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/rng.h"

namespace tesela::cli {

/// 64 hexadecimal digits are the 32 bytes of the seed; for any other text it is the SHA-256.
[[nodiscard]] Seed read_seed(std::string_view text);

/// A seed from the system's random source.
[[nodiscard]] Seed random_seed();

/// 64 hexadecimal digits, in lower case.
[[nodiscard]] std::string to_text(const Seed& seed);

/// Two hexadecimal digits a byte, in lower case.
[[nodiscard]] std::string hex(std::string_view bytes);

}  // namespace tesela::cli
