#include "server/push/p256_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <array>
#include <stdexcept>

#include "server/base/crypto.h"

namespace tesela::push {
namespace {

constexpr std::size_t kNumberBytes = 32;
constexpr const char* kCurve = "prime256v1";

using base::octets_of;
using Number = base::Owned<BIGNUM, BN_clear_free>;
using Numbers = base::Owned<BN_CTX, BN_CTX_free>;
using Group = base::Owned<EC_GROUP, EC_GROUP_free>;
using Point = base::Owned<EC_POINT, EC_POINT_free>;
using Key = base::Owned<EVP_PKEY, EVP_PKEY_free>;
using KeyUse = base::Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using Digest = base::Owned<EVP_MD_CTX, EVP_MD_CTX_free>;
using ParamBuild = base::Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using Params = base::Owned<OSSL_PARAM, OSSL_PARAM_free>;
using Signature = base::Owned<ECDSA_SIG, ECDSA_SIG_free>;

void check(bool done) {
  if (!done) throw std::runtime_error("OpenSSL has failed with a key on P-256");
}

template <class T>
T checked(T made) {
  check(made != nullptr);
  return made;
}

Group curve() {
  return checked(Group(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)));
}

Key key_of(const OSSL_PARAM* params, int selection) {
  const auto use = checked(KeyUse(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr)));
  EVP_PKEY* made = nullptr;
  check(EVP_PKEY_fromdata_init(use.get()) == 1 &&
        EVP_PKEY_fromdata(use.get(), &made, selection, const_cast<OSSL_PARAM*>(params)) == 1);
  return Key(made);
}

Key public_key(std::string_view point) {
  const auto build = checked(ParamBuild(OSSL_PARAM_BLD_new()));
  OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, kCurve, 0);
  OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                   point.size());
  const auto params = checked(Params(OSSL_PARAM_BLD_to_param(build.get())));
  return key_of(params.get(), EVP_PKEY_PUBLIC_KEY);
}

}  // namespace

bool is_point(std::string_view bytes) {
  // Other forms of a point are shorter, or begin with another byte.
  if (bytes.size() != kPointBytes || bytes.front() != POINT_CONVERSION_UNCOMPRESSED) return false;
  const auto group = curve();
  const auto point = checked(Point(EC_POINT_new(group.get())));
  return EC_POINT_oct2point(group.get(), point.get(), octets_of(bytes), bytes.size(), nullptr) == 1;
}

P256Key::P256Key(EVP_PKEY* key) : key_(key, EVP_PKEY_free) {}

P256Key P256Key::random() {
  return P256Key(checked(EVP_EC_gen(kCurve)));
}

P256Key P256Key::of_number(std::string_view bytes) {
  const auto number =
      checked(Number(BN_bin2bn(octets_of(bytes), static_cast<int>(bytes.size()), BN_secure_new())));
  return of_number(number.get());
}

P256Key P256Key::derived(std::string_view secret, std::string_view purpose) {
  std::string bits;
  for (const char part : {'1', '2'}) {
    const auto digest = base::hmac_sha256(secret, std::string(purpose) + part);
    bits.append(digest.begin(), digest.end());
  }
  const auto group = curve();
  const auto numbers = checked(Numbers(BN_CTX_new()));
  const auto most = checked(Number(BN_dup(EC_GROUP_get0_order(group.get()))));
  const auto number =
      checked(Number(BN_bin2bn(octets_of(bits), static_cast<int>(bits.size()), nullptr)));
  check(BN_sub_word(most.get(), 1) == 1 &&
        BN_nnmod(number.get(), number.get(), most.get(), numbers.get()) == 1 &&
        BN_add_word(number.get(), 1) == 1);
  return of_number(number.get());
}

P256Key P256Key::of_number(const BIGNUM* number) {
  const auto group = curve();
  const auto point = checked(Point(EC_POINT_new(group.get())));
  std::string bytes(kPointBytes, '\0');
  check(EC_POINT_mul(group.get(), point.get(), number, nullptr, nullptr, nullptr) == 1 &&
        EC_POINT_point2oct(group.get(), point.get(), POINT_CONVERSION_UNCOMPRESSED,
                           octets_of(bytes), bytes.size(), nullptr) == bytes.size());
  const auto build = checked(ParamBuild(OSSL_PARAM_BLD_new()));
  OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, kCurve, 0);
  OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_PRIV_KEY, number);
  OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, bytes.data(),
                                   bytes.size());
  const auto params = checked(Params(OSSL_PARAM_BLD_to_param(build.get())));
  return P256Key(key_of(params.get(), EVP_PKEY_KEYPAIR).release());
}

std::string P256Key::point() const {
  std::string bytes(kPointBytes, '\0');
  std::size_t size = 0;
  check(EVP_PKEY_get_octet_string_param(key_.get(), OSSL_PKEY_PARAM_PUB_KEY, octets_of(bytes),
                                        bytes.size(), &size) == 1 &&
        size == bytes.size());
  return bytes;
}

std::string P256Key::shared_with(std::string_view point) const {
  const auto peer = public_key(point);
  const auto use = checked(KeyUse(EVP_PKEY_CTX_new(key_.get(), nullptr)));
  std::string shared(kNumberBytes, '\0');
  std::size_t size = shared.size();
  check(EVP_PKEY_derive_init(use.get()) == 1 &&
        EVP_PKEY_derive_set_peer(use.get(), peer.get()) == 1 &&
        EVP_PKEY_derive(use.get(), octets_of(shared), &size) == 1 && size == shared.size());
  return shared;
}

std::string P256Key::sign(std::string_view text) const {
  const auto digest = checked(Digest(EVP_MD_CTX_new()));
  std::string encoded(static_cast<std::size_t>(EVP_PKEY_get_size(key_.get())), '\0');
  std::size_t size = encoded.size();
  check(EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
        EVP_DigestSign(digest.get(), octets_of(encoded), &size, octets_of(text), text.size()) == 1);
  const unsigned char* begin = octets_of(encoded);
  const auto signature =
      checked(Signature(d2i_ECDSA_SIG(nullptr, &begin, static_cast<long>(size))));
  std::string both(2 * kNumberBytes, '\0');
  check(BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), octets_of(both), kNumberBytes) > 0 &&
        BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), octets_of(both) + kNumberBytes,
                     kNumberBytes) > 0);
  return both;
}

}  // namespace tesela::push
