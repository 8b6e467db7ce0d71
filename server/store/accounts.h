// The interface of how players come back to their accounts: sessions and credentials.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/store.h"

namespace tesela::store {

/// A sign-in at one device: every token belongs to one, and is refused when it has ended.
struct SessionRow {
  SessionId id;
  PlayerId player;
  std::int64_t created_ms{};
  std::int64_t seen_ms{};                  // the last sign of life that is stored
  std::optional<std::int64_t> ended_ms{};  // by the store's clock
  std::string device{};                    // as the client calls it; may be empty
  /// The id of the challenge that it was made from: a second session of the same one is refused.
  /// Empty: none.
  std::string proof{};

  friend bool operator==(const SessionRow&, const SessionRow&) = default;
};

struct EndedSession {
  SessionId id;
  std::int64_t ended_ms{};

  friend bool operator==(const EndedSession&, const EndedSession&) = default;
};

enum class CredentialKind : std::uint8_t { kPasskey = 1, kRecoveryCode = 2, kOidc = 3 };

/// A way to sign in to an account again. A player with one is a member, and not deleted.
struct CredentialRow {
  std::string id;  // an authenticator's, the locator of a code, or a hash (oidc/provider.h)
  PlayerId player;
  CredentialKind kind{CredentialKind::kPasskey};
  std::string name{};    // as its owner calls it
  std::string secret{};  // a public key, or a hash (accounts/); of kOidc empty
  std::int64_t uses{};   // the authenticator's counter
  std::int64_t created_ms{};
  std::optional<std::int64_t> used_ms{};

  friend bool operator==(const CredentialRow&, const CredentialRow&) = default;
};

/// What `add_session` checks of the credential that the player has shown.
struct CredentialUse {
  std::string id;
  std::string secret;   // it still has this one
  std::int64_t uses{};  // the new counter: above the stored one, unless that is 0
};

/// Threading and errors as in EventLog.
class Accounts {
 public:
  virtual ~Accounts() = default;

  /// Stores a new guest, with the first session. kInternal when an id is taken.
  virtual boost::asio::awaitable<Expected<void>> add_guest(PlayerRow player,
                                                           SessionRow session) = 0;

  /// Stores a session, which is a sign of life, and deletes those of the player that nobody can use
  /// any more: ended, or without a sign of life, before `dead_before_ms`. Of more than
  /// limits::kSessionsPerPlayer live ones the longest unseen end, and are returned. Errors:
  /// kNotFound (no such player, or erased), kPermissionDenied (the challenge was used before; the
  /// credential is gone, was replaced, or has another counter).
  virtual boost::asio::awaitable<Expected<std::vector<SessionId>>> add_session(
      SessionRow session, std::optional<CredentialUse> use, std::int64_t dead_before_ms) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<SessionRow>> session(SessionId id) = 0;

  /// The live sessions of a player with a sign of life since then, the last seen first.
  virtual boost::asio::awaitable<Expected<std::vector<SessionRow>>> sessions(
      PlayerId player, std::int64_t seen_since_ms) = 0;

  /// The player has shown up in a session: guests who do not are deleted one day.
  virtual boost::asio::awaitable<Expected<void>> see_session(SessionId id, PlayerId player,
                                                             std::int64_t at_ms) = 0;

  /// Ends the session `only` of a player, or all but `but`, or all. Returns those that lived. No
  /// error if none did.
  virtual boost::asio::awaitable<Expected<std::vector<SessionId>>> end_sessions(
      PlayerId player, std::optional<SessionId> only, std::optional<SessionId> but) = 0;

  /// The sessions that ended last, at most `max`, the last first, but none from before `since_ms`.
  virtual boost::asio::awaitable<Expected<std::vector<EndedSession>>> ended_sessions(
      std::int64_t since_ms, std::size_t max) = 0;

  /// Adds a credential to a guest, who becomes a member, or to a member. A recovery code replaces
  /// the one of before. Errors: kNotFound (no such player, or erased), kTaken (a credential has
  /// this id), kPermissionDenied (not a guest or a member), kResourceExhausted (more than
  /// limits::kCredentialsPerPlayer).
  virtual boost::asio::awaitable<Expected<void>> add_credential(CredentialRow credential) = 0;

  /// Of a player, the oldest first.
  virtual boost::asio::awaitable<Expected<std::vector<CredentialRow>>> credentials(
      PlayerId player) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<CredentialRow>> credential(std::string id) = 0;

  /// kNotFound when the player has none with this id.
  virtual boost::asio::awaitable<Expected<void>> name_credential(PlayerId player, std::string id,
                                                                 std::string name) = 0;

  /// Without the last one a member is a guest again. Errors: kNotFound (the player has none with
  /// this id), kLastCredential (it is the last, and not `last_too`).
  virtual boost::asio::awaitable<Expected<void>> remove_credential(PlayerId player, std::string id,
                                                                   bool last_too) = 0;
};

}  // namespace tesela::store
