// A provider of OpenID Connect by which players sign in: authorization code with PKCE.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/challenges.h"
#include "server/accounts/jwt.h"
#include "server/base/io_pool.h"
#include "server/base/places.h"
#include "server/fetch/fetch.h"
#include "server/oidc/jwks.h"
#include "server/oidc/oidc_limits.h"

namespace tesela::oidc {

/// What the client has of a sign-in, and who it is.
struct Claimant {
  accounts::Purpose purpose;   // to register: to add it to an account
  PlayerId player;             // to sign in: PlayerId{0}
  std::string browser_secret;  // limits::kOidcSecretBytes
};

/// Asks on a thread of its own. Nothing of a sign-in is stored before its end: the state contains
/// a challenge that is bound to the browser's secret, and the nonce and the verifier of PKCE follow
/// from both, so it may begin and end at different servers with the same key.
class Provider {
 public:
  struct Options {
    std::string issuer;         // a Url
    std::string client_id;      // of this server at the issuer
    std::string client_secret;  // empty: a public client
    std::string redirect_uri;   // of the page
    std::string key;            // all servers on a database have the same
  };

  explicit Provider(Options options);

  struct Begun {
    std::string url;  // a page of the provider
    std::string state;
  };

  /// Where the player signs in. Errors: kInvalidArgument for a secret of another size,
  /// kUnavailable, kResourceExhausted.
  boost::asio::awaitable<Expected<Begun>> begin(Claimant claimant);

  /// What the provider has sent the browser back with.
  struct Answer {
    std::string code;
    std::string state;
    std::string issuer;  // `iss` (RFC 9207); may be empty
  };

  struct Proof {
    std::string account;    // store::CredentialRow::id of the issuer and the subject
    std::string challenge;  // its id: whoever accepts the proof ensures that it is the only one
  };

  /// Exchanges the code for an ID token, and judges that. Errors: those of `begin`, of
  /// `subject_of`, and kPermissionDenied for a state that is not of this claimant, another issuer,
  /// a code that the provider does not take, and a token that it has not signed.
  boost::asio::awaitable<Expected<Proof>> finish(Claimant claimant, Answer answer);

 private:
  struct Documents;
  using DocumentsPtr = std::shared_ptr<const Documents>;
  using Time = std::chrono::steady_clock::time_point;

  boost::asio::awaitable<Expected<Begun>> begin_here(Claimant claimant);
  boost::asio::awaitable<Expected<Proof>> finish_here(Claimant claimant, Answer answer);
  /// The documents, not older than limits::kOidcDocumentsAge, and asked for after `since`.
  boost::asio::awaitable<Expected<DocumentsPtr>> documents(Time since = Time::min());
  boost::asio::awaitable<Expected<DocumentsPtr>> ask_for_documents();
  boost::asio::awaitable<Expected<std::string>> ask_at(std::string_view url);
  /// The ID token for a code.
  boost::asio::awaitable<Expected<accounts::Jwt>> exchange(DocumentsPtr documents, std::string code,
                                                           std::string verifier);
  /// Whether the provider has signed it, perhaps with a key that is new.
  boost::asio::awaitable<Expected<void>> judge(DocumentsPtr documents, const accounts::Jwt& token);
  /// A secret that follows from the state and the browser's secret.
  [[nodiscard]] std::string derived(std::string_view what, std::string_view state,
                                    const Claimant& claimant) const;
  /// What the state is bound to.
  [[nodiscard]] std::string bound(const Claimant& claimant) const;
  template <class T>
  boost::asio::awaitable<Expected<T>> there(boost::asio::awaitable<Expected<T>> work);

  const Options options_;
  const std::string issuer_host_;
  const accounts::Challenges challenges_;
  base::Places calls_{limits::kOidcCallsMax};
  // On the loop alone.
  fetch::Fetcher fetcher_;
  DocumentsPtr documents_;  // null: none yet
  std::optional<Error> failure_;
  Time asked_{Time::min()};
  bool asking_{};
  base::IoPool pool_;
  // Those wait for it who would ask at the same time.
  std::shared_ptr<boost::asio::steady_timer> asked_for_;
};

}  // namespace tesela::oidc
