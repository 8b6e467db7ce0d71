// Private keys on the curve P-256 (FIPS 186-5), by OpenSSL.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tesela::push {

/// Bytes of a point, uncompressed.
inline constexpr std::size_t kPointBytes = 65;

/// Whether the bytes are an uncompressed point of the curve.
[[nodiscard]] bool is_point(std::string_view bytes);

/// Immutable: any thread. Functions throw std::runtime_error when OpenSSL fails.
class P256Key {
 public:
  /// A new one.
  [[nodiscard]] static P256Key random();
  /// The key whose number is these 32 bytes.
  [[nodiscard]] static P256Key of_number(std::string_view bytes);
  /// A key that follows from a secret, for one purpose (FIPS 186-5, A.2.1: from more bits than the
  /// order has).
  [[nodiscard]] static P256Key derived(std::string_view secret, std::string_view purpose);

  /// The public key: an uncompressed point.
  [[nodiscard]] std::string point() const;
  /// What both ends of an exchange have in common (ECDH). `is_point(point)`.
  [[nodiscard]] std::string shared_with(std::string_view point) const;
  /// The signature ES256 (RFC 7518, 3.4).
  [[nodiscard]] std::string sign(std::string_view text) const;

 private:
  explicit P256Key(EVP_PKEY* key);
  [[nodiscard]] static P256Key of_number(const BIGNUM* number);

  std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace tesela::push
