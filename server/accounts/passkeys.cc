#include "server/accounts/passkeys.h"

#include <utility>

namespace tesela::accounts {
namespace {

std::string host_of(std::string_view origin) {
  const auto begin = origin.find("://");
  std::string_view host = begin == std::string_view::npos ? origin : origin.substr(begin + 3);
  return std::string(host.substr(0, host.find(':')));
}

}  // namespace

std::string user_handle_of(PlayerId player) {
  std::string bytes;
  for (unsigned shift = 64; shift > 0; shift -= 8) {
    bytes += static_cast<char>(player.value >> (shift - 8) & 0xffU);
  }
  return bytes;
}

Passkeys::Passkeys(std::string origin, std::string key)
    : origin_(std::move(origin)), rp_id_(host_of(origin_)), challenges_(std::move(key)) {}

Expected<std::string> Passkeys::check(std::string_view client_data_json, std::string_view type,
                                      Purpose purpose, PlayerId player, Time now) const {
  const auto data = ClientData::read(client_data_json);
  if (!data) return std::unexpected(data.error());
  if (data->type != type) {
    return refuse(ErrorCode::kPermissionDenied,
                  "The passkey was asked for something else: make one to register it, and sign "
                  "with it to sign in.");
  }
  if (data->origin != origin_ || data->cross_origin) {
    return refuse(ErrorCode::kPermissionDenied,
                  "The passkey was used on a page that is not " + origin_ +
                      " itself: sign in there, or the operator sets --account-origin.");
  }
  return challenges_.check(data->challenge, purpose, player, now);
}

Expected<MadePasskey> Passkeys::made(std::string_view client_data_json,
                                     std::string_view authenticator_data, PlayerId player,
                                     Time now) const {
  const auto challenge =
      check(client_data_json, "webauthn.create", Purpose::kRegister, player, now);
  if (!challenge) return std::unexpected(challenge.error());
  return read_made(rp_id_, authenticator_data);
}

Expected<Passkeys::SignedIn> Passkeys::signed_in(const Assertion& assertion,
                                                 std::string_view public_key, Time now) const {
  auto challenge =
      check(assertion.client_data_json, "webauthn.get", Purpose::kSignIn, PlayerId{}, now);
  if (!challenge) return std::unexpected(std::move(challenge.error()));
  const auto uses = verify(rp_id_, public_key, assertion);
  if (!uses) return std::unexpected(uses.error());
  return SignedIn{.challenge = std::move(*challenge), .uses = *uses};
}

}  // namespace tesela::accounts
