#include "server/accounts/challenges.h"

#include <cstddef>

#include "server/base/bytes.h"
#include "server/base/crypto.h"

namespace tesela::accounts {
namespace {

// Purpose (1 byte), player and end (8 bytes each, most significant first; the end in seconds), id.
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kContentBytes = 1 + 2 * kNumberBytes + kIdBytes;

std::int64_t seconds_of(Challenges::Time time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

/// What a challenge begins with, but for its end.
std::string begin_of(Purpose purpose, PlayerId player) {
  return static_cast<char>(purpose) + base::big_endian(player.value);
}

std::int64_t end_of(std::string_view challenge) {
  const auto end = challenge.substr(1 + kNumberBytes, kNumberBytes);
  return static_cast<std::int64_t>(base::from_big_endian(end));
}

}  // namespace

std::string Challenges::signature(std::string_view content) const {
  const auto mac = base::hmac_sha256(key_, content);
  return {mac.begin(), mac.end()};
}

std::string Challenges::make(Purpose purpose, PlayerId player, Time now, std::string_view bound,
                             std::chrono::minutes lasts) const {
  std::string challenge = begin_of(purpose, player);
  challenge += base::big_endian(static_cast<std::uint64_t>(seconds_of(now + lasts)));
  const auto id = base::random_secret();
  challenge.append(id.begin(), id.end());
  return challenge + signature(std::string(challenge).append(bound));
}

Expected<std::string> Challenges::check(std::string_view challenge, Purpose purpose,
                                        PlayerId player, Time now, std::string_view bound) const {
  const std::string_view content = challenge.substr(0, kContentBytes);
  if (challenge.size() <= kContentBytes ||
      !base::same_secret(challenge.substr(kContentBytes),
                         signature(std::string(content).append(bound)))) {
    return refuse(ErrorCode::kPermissionDenied,
                  "The passkey has answered a challenge that is not this server's.");
  }
  if (!content.starts_with(begin_of(purpose, player))) {
    return refuse(ErrorCode::kPermissionDenied,
                  "The passkey has answered a challenge that was made for something else.");
  }
  if (end_of(content) <= seconds_of(now)) {
    return refuse(ErrorCode::kPermissionDenied,
                  "The passkey has answered too late: try again within five minutes.");
  }
  return std::string(content.substr(kContentBytes - kIdBytes));
}

}  // namespace tesela::accounts
