#include "server/accounts/webauthn.h"

#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"

namespace tesela::accounts {
namespace {

using base::octets_of;
using nlohmann::json;

constexpr std::size_t kFlagsAt = 32;  // behind the hash of the relying party
constexpr unsigned kUserPresent = 0x01;
constexpr unsigned kHasCredential = 0x40;
static_assert(kPasskeyAlgorithms == std::array{COSE_ES256, COSE_EDDSA, COSE_RS256});

struct FreeOfFido {
  void operator()(fido_cred_t* made) const { fido_cred_free(&made); }
  void operator()(fido_assert_t* assertion) const { fido_assert_free(&assertion); }
  void operator()(es256_pk_t* key) const { es256_pk_free(&key); }
  void operator()(eddsa_pk_t* key) const { eddsa_pk_free(&key); }
  void operator()(rs256_pk_t* key) const { rs256_pk_free(&key); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeOfFido>;

std::unexpected<Error> unreadable() {
  return refuse(ErrorCode::kInvalidArgument,
                "This is not what a passkey makes: its authenticator data cannot be read.");
}

std::unexpected<Error> not_by_the_passkey() {
  return refuse(ErrorCode::kPermissionDenied, "The signature is not this passkey's.");
}

/// Whether it is for the relying party, and somebody has touched the authenticator.
Expected<void> check_head(std::string_view rp_id, std::string_view data) {
  if (data.size() <= kFlagsAt) return unreadable();
  const auto hash = base::sha256(rp_id);
  if (!std::ranges::equal(hash, data.substr(0, kFlagsAt), {}, {},
                          [](char c) { return static_cast<std::uint8_t>(c); })) {
    return refuse(ErrorCode::kPermissionDenied,
                  "This passkey is of another site: use one that was made here.");
  }
  if ((static_cast<unsigned char>(data[kFlagsAt]) & kUserPresent) == 0) {
    return refuse(ErrorCode::kPermissionDenied,
                  "The passkey has signed without anybody there: touch it when it asks.");
  }
  return {};
}

/// The new passkey, if it is of this algorithm.
Owned<fido_cred_t> read_as(int algorithm, std::string_view rp_id, std::string_view data) {
  Owned<fido_cred_t> made(fido_cred_new());
  const std::string rp(rp_id);
  const bool read = made != nullptr && fido_cred_set_type(made.get(), algorithm) == FIDO_OK &&
                    fido_cred_set_rp(made.get(), rp.c_str(), nullptr) == FIDO_OK &&
                    fido_cred_set_authdata_raw(made.get(), octets_of(data), data.size()) == FIDO_OK;
  return read ? std::move(made) : nullptr;
}

template <class Key>
EVP_PKEY* key_of(const Owned<Key>& key, int (*from)(Key*, const void*, std::size_t),
                 EVP_PKEY* (*to)(const Key*), const fido_cred_t* made) {
  const bool read = key != nullptr && from(key.get(), fido_cred_pubkey_ptr(made),
                                           fido_cred_pubkey_len(made)) == FIDO_OK;
  return read ? to(key.get()) : nullptr;
}

Owned<EVP_PKEY> key_of(const fido_cred_t* made) {
  switch (fido_cred_type(made)) {
    case COSE_ES256:
      return Owned<EVP_PKEY>(
          key_of(Owned<es256_pk_t>(es256_pk_new()), es256_pk_from_ptr, es256_pk_to_EVP_PKEY, made));
    case COSE_EDDSA:
      return Owned<EVP_PKEY>(
          key_of(Owned<eddsa_pk_t>(eddsa_pk_new()), eddsa_pk_from_ptr, eddsa_pk_to_EVP_PKEY, made));
    default:
      return Owned<EVP_PKEY>(
          key_of(Owned<rs256_pk_t>(rs256_pk_new()), rs256_pk_from_ptr, rs256_pk_to_EVP_PKEY, made));
  }
}

std::string der_of(const EVP_PKEY* key) {
  unsigned char* bytes = nullptr;
  const int size = key != nullptr ? i2d_PUBKEY(key, &bytes) : -1;
  if (size < 0) return {};
  std::string der(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

template <class Key>
int verify_with(const fido_assert_t* assertion, int algorithm, const Owned<Key>& key,
                int (*from)(Key*, const EVP_PKEY*), const EVP_PKEY* stored) {
  if (key == nullptr || from(key.get(), stored) != FIDO_OK) return FIDO_ERR_INVALID_ARGUMENT;
  return fido_assert_verify(assertion, 0, algorithm, key.get());
}

int verify_with(const fido_assert_t* assertion, const EVP_PKEY* key) {
  switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_EC:
      return verify_with(assertion, COSE_ES256, Owned<es256_pk_t>(es256_pk_new()),
                         es256_pk_from_EVP_PKEY, key);
    case EVP_PKEY_ED25519:
      return verify_with(assertion, COSE_EDDSA, Owned<eddsa_pk_t>(eddsa_pk_new()),
                         eddsa_pk_from_EVP_PKEY, key);
    default:
      return verify_with(assertion, COSE_RS256, Owned<rs256_pk_t>(rs256_pk_new()),
                         rs256_pk_from_EVP_PKEY, key);
  }
}

}  // namespace

Expected<ClientData> ClientData::read(std::string_view text) {
  const json fields = json::parse(text, nullptr, false);
  const auto field = [&fields](const char* name) -> std::string {
    if (!fields.is_object()) return {};
    const json value = fields.value(name, json{});
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  const auto challenge = base::decode_base64(field("challenge"));
  ClientData data{
      .type = field("type"), .challenge = challenge.value_or(""), .origin = field("origin")};
  if (data.type.empty() || data.challenge.empty() || data.origin.empty()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "This is not what a browser says of a passkey: its client data cannot be read.");
  }
  data.cross_origin =
      fields.value("crossOrigin", json(false)) != json(false) || fields.contains("topOrigin");
  return data;
}

Expected<MadePasskey> read_made(std::string_view rp_id, std::string_view authenticator_data) {
  if (auto fit = check_head(rp_id, authenticator_data); !fit) {
    return std::unexpected(std::move(fit.error()));
  }
  if ((static_cast<unsigned char>(authenticator_data[kFlagsAt]) & kHasCredential) == 0) {
    return unreadable();
  }
  for (const int algorithm : kPasskeyAlgorithms) {
    const auto made = read_as(algorithm, rp_id, authenticator_data);
    if (!made) continue;
    MadePasskey passkey{
        .id = std::string(reinterpret_cast<const char*>(fido_cred_id_ptr(made.get())),
                          fido_cred_id_len(made.get())),
        .public_key = der_of(key_of(made.get()).get()),
        .uses = fido_cred_sigcount(made.get())};
    if (!passkey.public_key.empty() && passkey.id.size() >= kPasskeyIdBytesMin) return passkey;
  }
  return refuse(ErrorCode::kInvalidArgument,
                "The passkey's authenticator data cannot be read, or its key is not of ES256, "
                "EdDSA or RS256.");
}

Expected<std::int64_t> verify(std::string_view rp_id, std::string_view public_key,
                              const Assertion& assertion) {
  const auto& [client_data, data, signature] = assertion;
  if (auto fit = check_head(rp_id, data); !fit) return std::unexpected(std::move(fit.error()));
  const unsigned char* der = octets_of(public_key);
  const Owned<EVP_PKEY> key(d2i_PUBKEY(nullptr, &der, static_cast<long>(public_key.size())));
  if (key == nullptr) return refuse(ErrorCode::kCorrupt, "The stored passkey is damaged.");
  const Owned<fido_assert_t> signed_by(fido_assert_new());
  const std::string rp(rp_id);
  fido_assert_t* const given = signed_by.get();
  if (given == nullptr || fido_assert_set_count(given, 1) != FIDO_OK ||
      fido_assert_set_rp(given, rp.c_str()) != FIDO_OK ||
      fido_assert_set_clientdata(given, octets_of(client_data), client_data.size()) != FIDO_OK ||
      fido_assert_set_authdata_raw(given, 0, octets_of(data), data.size()) != FIDO_OK) {
    return unreadable();
  }
  if (fido_assert_set_sig(given, 0, octets_of(signature), signature.size()) != FIDO_OK ||
      fido_assert_set_up(given, FIDO_OPT_TRUE) != FIDO_OK ||
      verify_with(given, key.get()) != FIDO_OK) {
    return not_by_the_passkey();
  }
  return fido_assert_sigcount(given, 0);
}

}  // namespace tesela::accounts
