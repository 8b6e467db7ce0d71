// Asks a provider over HTTP/1.1.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <string>

#include "engine/core/result.h"
#include "server/oidc/url.h"

namespace tesela::oidc {

struct Question {
  Url url;
  std::string form{};           // of a POST; empty: a GET
  std::string authorization{};  // the header; empty: none
  /// The host is of the provider's choice: it must have a public address, so that nobody has the
  /// server ask inside the operator's network.
  bool only_public{};
};

struct HttpAnswer {
  unsigned status{};
  std::string body;
};

/// One thread.
class Fetcher {
 public:
  /// Trusts the issuers of certificates that the system does (SSL_CERT_FILE names others).
  Fetcher();

  /// The answer, within limits::kOidcFetchTime. Redirections are not followed. Error: kUnavailable,
  /// with what went wrong, for the operator.
  boost::asio::awaitable<Expected<HttpAnswer>> ask(Question question);

 private:
  boost::asio::awaitable<Expected<HttpAnswer>> ask_for_long(Question question);

  boost::asio::ssl::context trust_;
};

}  // namespace tesela::oidc
