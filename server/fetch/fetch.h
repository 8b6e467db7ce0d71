// Asks other servers over HTTP/1.1.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/fetch/url.h"

namespace tesela::fetch {

struct Question {
  Url url;
  std::string body{};  // of a POST; empty: a GET
  std::vector<std::pair<std::string, std::string>> headers{};
  /// The host is of somebody else's choice than the operator's: it must have a public address, so
  /// that nobody has the server ask inside the operator's network.
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

  /// The answer, within limits::kFetchTime. Redirections are not followed. Error: kUnavailable,
  /// with what went wrong, for the operator.
  boost::asio::awaitable<Expected<HttpAnswer>> ask(Question question);

 private:
  boost::asio::awaitable<Expected<HttpAnswer>> ask_for_long(Question question);

  boost::asio::ssl::context trust_;
};

}  // namespace tesela::fetch
