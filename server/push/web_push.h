// A push as a push service takes it: encrypted for the device (RFC 8291, in the coding of RFC
// 8188), and with the proof of who sends it (VAPID, RFC 8292). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/push/p256_key.h"
#include "server/store/notices.h"

namespace tesela::push {

inline constexpr std::size_t kAuthBytes = 16;
inline constexpr std::size_t kSaltBytes = 16;

/// One record of aes128gcm under a key that both have (RFC 8188): `id` says which.
[[nodiscard]] std::string encoded(std::string_view text, std::string_view key,
                                  std::string_view salt, std::string_view id);

/// The text for a device, whose keys are valid, under a key and a salt that are used once.
[[nodiscard]] std::string encrypted(std::string_view text, const store::PushDevice& device,
                                    const P256Key& sender, std::string_view salt);

/// The header Authorization for a push service at `origin`. `contact` is a URL by which its
/// operators reach the server's; empty: none.
[[nodiscard]] std::string vapid(const P256Key& server, std::string_view origin,
                                std::string_view contact, std::int64_t unix_s);

}  // namespace tesela::push
