#include "server/accounts/recovery_code.h"

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include "server/base/crypto.h"

namespace tesela::accounts {
namespace {

constexpr std::string_view kConsonants = "bdfghjklmnprstvz";
constexpr std::string_view kVowels = "aiou";
constexpr std::size_t kWords = 8;
constexpr std::size_t kLetters = 5;
constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kHashBytes = 32;

/// The letters of each place of a word, and how many bits they stand for.
struct Place {
  std::string_view letters;
  unsigned bits;
};
constexpr std::array<Place, kLetters> kPlaces{
    {{kConsonants, 4}, {kVowels, 2}, {kConsonants, 4}, {kVowels, 2}, {kConsonants, 4}}};

/// Upper and lower case of ASCII alike; 0 for what is no letter.
char letter_of(char c) {
  const auto lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower : '\0';
}

std::unexpected<Error> no_code() {
  return refuse(ErrorCode::kInvalidArgument,
                "This is not a recovery code: it has eight words of five letters, such as "
                "\"lusab-babad\".");
}

std::string scrypt(std::string_view secret, std::string_view salt) {
  const base::Owned<EVP_KDF, EVP_KDF_free> algorithm(
      EVP_KDF_fetch(nullptr, OSSL_KDF_NAME_SCRYPT, nullptr));
  const base::Owned<EVP_KDF_CTX, EVP_KDF_CTX_free> context(EVP_KDF_CTX_new(algorithm.get()));
  std::uint64_t cost = kScryptCost;
  std::uint32_t block = kScryptBlock;
  std::uint32_t parallel = 1;
  std::uint64_t memory = 2 * kScryptMemory;  // the most that OpenSSL may take
  const std::array parameters{
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, const_cast<char*>(secret.data()),
                                        secret.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, const_cast<char*>(salt.data()),
                                        salt.size()),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_N, &cost),
      OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_R, &block),
      OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_P, &parallel),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_MAXMEM, &memory),
      OSSL_PARAM_construct_end()};
  std::string hash(kHashBytes, '\0');
  if (context == nullptr ||
      EVP_KDF_derive(context.get(), base::octets_of(hash), hash.size(), parameters.data()) != 1) {
    throw std::runtime_error("OpenSSL cannot hash by scrypt");
  }
  return hash;
}

std::string random_bytes(std::size_t size) {
  const auto bytes = base::random_seed();
  return {reinterpret_cast<const char*>(bytes.data()), std::min(size, bytes.size())};
}

}  // namespace

RecoveryCode RecoveryCode::random() {
  const std::string bytes = random_bytes(kLocatorBytes + kSecretBytes);
  return {.locator = bytes.substr(0, kLocatorBytes), .secret = bytes.substr(kLocatorBytes)};
}

Expected<RecoveryCode> RecoveryCode::read(std::string_view words) {
  std::string bytes;
  std::size_t letters = 0;
  std::uint32_t word = 0;
  for (const char c : words) {
    const char letter = letter_of(c);
    if (letter == '\0') continue;
    const Place& place = kPlaces[letters % kLetters];
    const auto digit = place.letters.find(letter);
    if (digit == std::string_view::npos || ++letters > kWords * kLetters) return no_code();
    word = word << place.bits | static_cast<std::uint32_t>(digit);
    if (letters % kLetters != 0) continue;
    bytes += static_cast<char>(word >> 8U & 0xffU);
    bytes += static_cast<char>(word & 0xffU);
    word = 0;
  }
  if (letters != kWords * kLetters) return no_code();
  return RecoveryCode{.locator = bytes.substr(0, kLocatorBytes),
                      .secret = bytes.substr(kLocatorBytes)};
}

std::string RecoveryCode::words() const {
  const std::string bytes = locator + secret;
  std::string words;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const std::uint32_t word = static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]))
                                   << 8U |
                               static_cast<unsigned char>(bytes[i + 1]);
    if (!words.empty()) words += '-';
    unsigned shift = 16;
    for (const Place& place : kPlaces) {
      shift -= place.bits;
      words += place.letters[word >> shift & ((1U << place.bits) - 1U)];
    }
  }
  return words;
}

std::string hash_of(std::string_view secret) {
  const std::string salt = random_bytes(kSaltBytes);
  return salt + scrypt(secret, salt);
}

bool is_hash_of(std::string_view hash, std::string_view secret) {
  const bool whole = hash.size() == kSaltBytes + kHashBytes;
  const std::string salt =
      whole ? std::string(hash.substr(0, kSaltBytes)) : std::string(kSaltBytes, '\0');
  const std::string made = scrypt(secret, salt);
  return whole && base::same_secret(made, hash.substr(kSaltBytes));
}

}  // namespace tesela::accounts
