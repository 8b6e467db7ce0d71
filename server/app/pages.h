// The page, and what a shared link shows where it is posted.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "server/net/http/folder_files.h"
#include "server/net/http/http_router.h"
#include "server/net/http/static_files.h"
#include "server/ops/config.h"
#include "server/ops/health.h"
#include "server/services/history/link_preview.h"
#include "server/store/profiles.h"
#include "server/store/table_rows.h"

namespace tesela {

/// The web client with the links of the operator's terms (RFC 6903). A program that fetches a link
/// to a game or a player, and is no browser, gets Open Graph tags with services::link_preview in
/// the page; while the database is away, those of the site. /docs/ has the files of --docs. Any
/// thread.
class Pages {
 public:
  /// All but `config` outlive it. Throws std::runtime_error when --docs cannot be read.
  Pages(const ops::Config& config, store::TableRows& tables, store::Profiles& profiles,
        const ops::Health& health);

  /// Answers every path that has no other route.
  void add_routes(net::HttpRouter& router) const;

  /// Answers /admin, the console of operators, alone.
  void add_console(net::HttpRouter& router) const { files_.add_routes_of("/admin", router); }

 private:
  [[nodiscard]] boost::asio::awaitable<net::Response> serve(net::Request request) const;
  [[nodiscard]] boost::asio::awaitable<services::LinkPreview> preview_of(
      std::string_view path) const;

  const net::StaticFiles files_;
  std::optional<net::FolderFiles> docs_folder_;
  std::optional<net::StaticFiles> docs_;
  store::TableRows& tables_;
  store::Profiles& profiles_;
  const ops::Health& health_;
  const std::string origin_;  // empty: the pictures of links are left out
};

}  // namespace tesela
