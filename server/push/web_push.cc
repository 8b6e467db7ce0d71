#include "server/push/web_push.h"

#include <openssl/evp.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"
#include "server/push/push_limits.h"

namespace tesela::push {
namespace {

constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytes = 16;
constexpr std::string_view kRecordBytes{"\x00\x00\x10\x00", 4};  // 4,096
constexpr char kLastRecord = 2;

using base::octets_of;

std::string text_of(const base::Sha256& hash, std::size_t size) {
  return {reinterpret_cast<const char*>(hash.data()), size};
}

/// HKDF with SHA-256 (RFC 5869) of at most 32 bytes.
std::string derived(std::string_view salt, std::string_view secret, std::string info,
                    std::size_t size) {
  const auto key = text_of(base::hmac_sha256(salt, secret), sizeof(base::Sha256));
  return text_of(base::hmac_sha256(key, info += '\1'), size);
}

std::string with_zero(std::string_view text) {
  return std::string(text) + '\0';
}

std::string sealed(const std::string& text, const std::string& key, const std::string& nonce) {
  const base::Owned<EVP_CIPHER_CTX, EVP_CIPHER_CTX_free> cipher(EVP_CIPHER_CTX_new());
  std::string out(text.size() + kTagBytes, '\0');
  auto* const bytes = octets_of(out);
  int size = 0;
  const bool done =
      cipher &&
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_128_gcm(), nullptr, octets_of(key),
                         octets_of(nonce)) == 1 &&
      EVP_EncryptUpdate(cipher.get(), bytes, &size, octets_of(text),
                        static_cast<int>(text.size())) == 1 &&
      EVP_EncryptFinal_ex(cipher.get(), bytes + size, &size) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_GET_TAG, kTagBytes, bytes + text.size()) == 1;
  if (!done) throw std::runtime_error("OpenSSL has not encrypted a push");
  return out;
}

}  // namespace

std::string encoded(std::string_view text, std::string_view key, std::string_view salt,
                    std::string_view id) {
  const auto content_key = derived(salt, key, with_zero("Content-Encoding: aes128gcm"), kKeyBytes);
  const auto nonce = derived(salt, key, with_zero("Content-Encoding: nonce"), kNonceBytes);
  std::string out(salt);
  out.append(kRecordBytes).append(1, static_cast<char>(id.size())).append(id);
  return out + sealed(std::string(text) + kLastRecord, content_key, nonce);
}

std::string encrypted(std::string_view text, const store::PushDevice& device, const P256Key& sender,
                      std::string_view salt) {
  const std::string point = sender.point();
  const auto key =
      derived(device.auth, sender.shared_with(device.p256dh),
              with_zero("WebPush: info") + device.p256dh + point, sizeof(base::Sha256));
  return encoded(text, key, salt, point);
}

std::string vapid(const P256Key& server, std::string_view origin, std::string_view contact,
                  std::int64_t unix_s) {
  nlohmann::json claims{{"aud", origin}, {"exp", unix_s + limits::kVapidTime.count()}};
  if (!contact.empty()) claims["sub"] = contact;
  const std::string token = base::encode_base64url(R"({"typ":"JWT","alg":"ES256"})") + '.' +
                            base::encode_base64url(claims.dump());
  return "vapid t=" + token + '.' + base::encode_base64url(server.sign(token)) +
         ", k=" + base::encode_base64url(server.point());
}

}  // namespace tesela::push
