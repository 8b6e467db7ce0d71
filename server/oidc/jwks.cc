#include "server/oidc/jwks.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"
#include "server/oidc/oidc_limits.h"

namespace tesela::oidc {
namespace {

using accounts::PublicKey;
using accounts::text_in;
using base::octets_of;
using nlohmann::json;

constexpr std::size_t kP256NumberBytes = 32;
/// More bits take too long to verify.
constexpr std::size_t kRsaBytesMax = 1024;
constexpr std::size_t kRsaExponentBytesMax = 8;

using Builder = base::Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using Number = base::Owned<BIGNUM, BN_free>;

std::string bytes_in(const json& key, const char* name) {
  return base::decode_base64(text_in(key, name)).value_or("");
}

Number number_of(const std::string& bytes) {
  return Number(BN_bin2bn(octets_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

PublicKey built(const char* type, OSSL_PARAM_BLD* builder) {
  const base::Owned<OSSL_PARAM, OSSL_PARAM_free> parameters(OSSL_PARAM_BLD_to_param(builder));
  const base::Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free> context(
      EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  return PublicKey(key);
}

PublicKey rsa_key(const json& key) {
  const std::string n = bytes_in(key, "n");
  const std::string e = bytes_in(key, "e");
  if (n.size() > kRsaBytesMax || e.empty() || e.size() > kRsaExponentBytesMax) return nullptr;
  const Number modulus = number_of(n);  // the builder does not copy them
  const Number exponent = number_of(e);
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) ||
      !OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get())) {
    return nullptr;
  }
  return built("RSA", builder.get());
}

PublicKey p256_key(const json& key) {
  const std::string x = bytes_in(key, "x");
  const std::string y = bytes_in(key, "y");
  if (text_in(key, "crv") != "P-256" || x.size() != kP256NumberBytes ||
      y.size() != kP256NumberBytes) {
    return nullptr;
  }
  const std::string point = "\x04" + x + y;
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1",
                                       0) ||
      !OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                        point.size())) {
    return nullptr;
  }
  return built("EC", builder.get());
}

PublicKey ed25519_key(const json& key) {
  const std::string x = bytes_in(key, "x");
  if (text_in(key, "crv") != "Ed25519") return nullptr;
  return PublicKey(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, octets_of(x), x.size()));
}

/// Null for a key that cannot verify a signature here.
PublicKey key_of(const json& key) {
  const std::string type = text_in(key, "kty");
  PublicKey read;
  if (type == "RSA") read = rsa_key(key);
  if (type == "EC") read = p256_key(key);
  if (type == "OKP") read = ed25519_key(key);
  if (!read) return nullptr;
  const std::string_view algorithm = accounts::algorithm_of(read.get());
  if (algorithm.empty() || (key.contains("alg") && text_in(key, "alg") != algorithm)) {
    return nullptr;
  }
  if (key.contains("use") && text_in(key, "use") != "sig") return nullptr;
  return read;
}

}  // namespace

std::optional<Jwks> Jwks::read(std::string_view text) {
  const json set = json::parse(text, nullptr, false);
  if (!set.is_object() || !set.contains("keys") || !set["keys"].is_array()) return std::nullopt;
  Jwks jwks;
  for (const json& key : set["keys"]) {
    if (jwks.keys_.size() == limits::kOidcKeysMax) break;
    if (!key.is_object()) continue;
    if (auto read = key_of(key)) jwks.keys_.push_back({text_in(key, "kid"), std::move(read)});
  }
  return jwks;
}

bool Jwks::have_signed(const accounts::Jwt& token) const {
  const std::string id = text_in(token.header, "kid");
  return std::ranges::any_of(keys_, [&](const Key& key) {
    return (id.empty() || key.id == id) && token.is_signed_by(key.key.get());
  });
}

}  // namespace tesela::oidc
