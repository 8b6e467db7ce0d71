// Random numbers, hashes and the comparison of secrets, by OpenSSL. Any thread. The functions that
// call OpenSSL throw std::runtime_error when it fails.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tesela::base {

/// The 256-bit key of a game's dice, from the system's random numbers.
[[nodiscard]] std::array<std::uint8_t, 32> random_seed();

/// 128 random bits, for tokens and invites.
[[nodiscard]] std::array<std::uint8_t, 16> random_secret();

/// Random, in 1..2^63 - 1.
[[nodiscard]] std::uint64_t random_number();
template <class Id>
[[nodiscard]] Id random_id() {
  return Id{random_number()};
}

/// What OpenSSL has made, and what frees it: Owned<BIGNUM, BN_free>.
template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* made) const {
    kFree(made);
  }
};
template <class T, auto kFree>
using Owned = std::unique_ptr<T, Freed<kFree>>;

/// Bytes as OpenSSL takes them.
[[nodiscard]] inline const unsigned char* octets_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
[[nodiscard]] inline unsigned char* octets_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

using Sha256 = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4).
[[nodiscard]] Sha256 sha256(std::string_view bytes);

/// HMAC (RFC 2104) with SHA-256.
[[nodiscard]] Sha256 hmac_sha256(std::string_view key, std::string_view bytes);

/// Whether `shown` equals `secret`, compared in constant time for texts of the same length.
[[nodiscard]] bool same_secret(std::string_view shown, std::string_view secret);

}  // namespace tesela::base
