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
#include "server/replay/aside.h"
#include "server/services/history/link_tags.h"
#include "server/services/history/table_pictures.h"
#include "server/store/backend/backend.h"

namespace tesela {

/// The web client with the links of the operator's terms (RFC 6903), and what the provider is
/// called by which players sign in. A program that fetches an address of the page, and is no
/// browser, gets a title, a description and Open Graph tags in it: those of the game or the player,
/// or of the screen; while the database is away, those of the site. /t/ID.png is the position of a
/// table that everybody may see. /docs/ has the files of --docs. Any thread.
class Pages {
 public:
  /// All but `config` outlive it. Throws std::runtime_error when --docs cannot be read.
  Pages(const ops::Config& config, store::Backend& backend, replay::Aside aside,
        const ops::Health& health);

  /// Answers every path that has no other route.
  void add_routes(net::HttpRouter& router) const;

  /// Answers /admin, the console of operators, alone.
  void add_console(net::HttpRouter& router) const { files_.add_routes_of("/admin", router); }

 private:
  [[nodiscard]] boost::asio::awaitable<net::Response> serve(net::Request request) const;
  [[nodiscard]] boost::asio::awaitable<net::Response> picture(net::Request request) const;
  [[nodiscard]] boost::asio::awaitable<services::LinkTags> tags_of(std::string_view path) const;
  [[nodiscard]] boost::asio::awaitable<std::optional<std::string>> name_of(
      std::string_view path) const;

  const net::StaticFiles files_;
  std::optional<net::FolderFiles> docs_folder_;
  std::optional<net::StaticFiles> docs_;
  store::Backend& store_;
  const ops::Health& health_;
  const std::string origin_;  // empty: the addresses and pictures of links are left out
  mutable services::TablePictures pictures_;
};

}  // namespace tesela
