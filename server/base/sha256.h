// SHA-256 (FIPS 180-4) and HMAC (RFC 2104), by OpenSSL. Any thread. Both throw std::runtime_error
// when OpenSSL has no SHA-256.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tesela::base {

using Sha256 = std::array<std::uint8_t, 32>;

[[nodiscard]] Sha256 sha256(std::string_view bytes);

[[nodiscard]] Sha256 hmac_sha256(std::string_view key, std::string_view bytes);

}  // namespace tesela::base
