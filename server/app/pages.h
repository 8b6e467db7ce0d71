// The page, and what a shared link shows where it is posted.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/net/http/http_router.h"
#include "server/net/http/static_files.h"
#include "server/ops/config.h"
#include "server/store/table_rows.h"

namespace tesela {

/// The web client with the links of the operator's terms (RFC 6903). Programs that fetch a link to
/// a game, which are no browsers, are told who plays and how it ended (ogp.me): not of a table by
/// invitation or without spectators, and of a daily game only the day. Any thread.
class Pages {
 public:
  /// `tables` outlives it.
  Pages(const ops::Config& config, store::TableRows& tables);

  /// Answers every path that has no other route.
  void add_routes(net::HttpRouter& router) const;

 private:
  [[nodiscard]] boost::asio::awaitable<net::Response> serve(net::Request request) const;

  const net::StaticFiles files_;
  store::TableRows& tables_;
  const std::string origin_;  // empty: the pictures of links are left out
};

}  // namespace tesela
