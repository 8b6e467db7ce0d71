#include "server/app/pages.h"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "server/app/options_of.h"
#include "server/base/analysis_limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/shown_text.h"
#include "server/net/http/entity_tag.h"
#include "server/services/history/link_preview.h"

namespace tesela {

using boost::asio::awaitable;
using std::string_view_literals::operator""sv;
using services::LinkTags;
using services::Screen;

namespace {

constexpr std::string_view kPlayerPath = "/@";
constexpr std::string_view kTablePath = "/t/";
constexpr std::string_view kDocs = "/docs";
constexpr std::string_view kPicture = ".png";

std::string links_of_operator(const ops::Config& config) {
  std::string head;
  for (const auto& [relation, url] : {std::pair{"terms-of-service", &config.terms_url},
                                      std::pair{"privacy-policy", &config.privacy_url}}) {
    if (url->empty()) continue;
    head +=
        std::string("<link rel=\"") + relation + "\" href=\"" + services::escaped(*url) + "\" />";
  }
  if (const std::string label = provider_label(config); !label.empty()) {
    head += R"(<meta name="sign-in-with" content=")" + services::escaped(label) + "\" />";
  }
  return head;
}

/// By TLS and on localhost, browsers say that somebody opens a page. Programs that show links do
/// not, though some (Node's fetch) have the header.
bool is_browser(const net::Request& request) {
  return request["Sec-Fetch-Mode"] == "navigate";
}

/// The links of the site are relative.
awaitable<net::Response> to_docs(net::Request /*request*/) {
  net::Response response;
  response.status = net::http::status::permanent_redirect;
  response.headers.set(net::http::field::location, std::string{kDocs} + "/");
  co_return response;
}

/// The second part of a path: "0123456789abc" of "/replay/0123456789abc/12".
std::string_view second_of(std::string_view path) {
  const std::size_t at = path.find('/', 1);
  if (at == std::string_view::npos) return {};
  path.remove_prefix(at + 1);
  return path.substr(0, path.find('/'));
}

/// Of the paths of a table's screens.
std::optional<TableId> table_of(std::string_view path) {
  for (const std::string_view screen : {kTablePath, "/replay/"sv, "/proof/"sv}) {
    if (path.starts_with(screen)) return base::parse_id<TableId>(second_of(path));
  }
  return std::nullopt;
}

/// "/t/0123456789abc.png"
bool is_picture(std::string_view path) {
  return path.starts_with(kTablePath) && path.ends_with(kPicture);
}

/// The letters that the page and its pictures have.
picture::Fonts fonts() {
  picture::Fonts found;
  for (const net::EmbeddedFile& file : net::embedded_web_client()) {
    if (!file.path.ends_with(".woff2")) continue;
    if (file.path.starts_with("/assets/outfit-latin-400-")) found.regular = file.content;
    if (file.path.starts_with("/assets/outfit-latin-600-")) found.bold = file.content;
  }
  return found.regular.empty() || found.bold.empty() ? picture::Fonts{} : found;
}

net::Response no_picture(const Error& error) {
  using net::http::status;
  const bool busy = error.code == ErrorCode::kUnavailable;
  if (!busy && error.code != ErrorCode::kResourceExhausted) {
    // The same for all tables that nobody may see, and for those that do not exist.
    return net::text_response(status::not_found, "There is no picture of this table.");
  }
  net::Response response = net::text_response(
      busy ? status::service_unavailable : status::too_many_requests, error.message);
  response.headers.set(net::http::field::retry_after, "1");
  return response;
}

}  // namespace

Pages::Pages(const ops::Config& config, store::Backend& backend, replay::Aside aside,
             const ops::Health& health)
    : files_(net::embedded_web_client(), links_of_operator(config)),
      store_(backend),
      health_(health),
      origin_(config.account_origin),
      pictures_({.aside = aside,
                 .source = {backend.history(), backend.snapshots()},
                 .table_rows = backend.table_rows(),
                 .fonts = fonts()}) {
  if (!config.docs) return;
  try {
    // A slip must not publish another folder.
    if (!std::filesystem::exists(*config.docs / "openapi.json")) {
      throw std::runtime_error(config.docs->string() + " has no openapi.json.");
    }
    docs_folder_.emplace(*config.docs, kDocs);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string("--docs: ") + error.what() +
                             " Give it the folder that docs/build.sh has built.");
  }
  docs_.emplace(docs_folder_->files());
}

awaitable<net::Response> Pages::serve(net::Request request) const {
  const std::string_view path = net::path_of(request.target());
  if (is_picture(path)) co_return co_await picture(std::move(request));
  if (is_browser(request)) co_return files_.serve(request);
  // Browsers that use plain HTTP come here too.
  LinkTags tags = co_await tags_of(path);
  tags.path = path;
  co_return files_.page(services::html_of(tags, origin_));
}

awaitable<net::Response> Pages::picture(net::Request request) const {
  std::string_view name = net::path_of(request.target());
  name.remove_prefix(kTablePath.size());
  name.remove_suffix(kPicture.size());
  const auto table = base::parse_id<TableId>(name);
  if (!table) co_return no_picture({ErrorCode::kNotFound, {}});
  if (health_.store_away()) co_return no_picture({ErrorCode::kUnavailable, "The store is away."});
  auto sight = co_await pictures_.look(*table);
  if (!sight) co_return no_picture(sight.error());
  const std::string etag = '"' + sight->tag + '"';
  net::Response response;
  response.headers.set(
      net::http::field::cache_control,
      "public, max-age=" +
          std::to_string(sight->is_over() ? limits::kOverPictureAge : limits::kLivePictureAge));
  if (net::revalidates(request, etag, response)) co_return response;
  const auto png = co_await pictures_.picture_of(std::move(*sight), request.sender.quota);
  if (!png) co_return no_picture(png.error());
  response.headers.set(net::http::field::content_type, "image/png");
  response.headers.set("X-Content-Type-Options", "nosniff");
  response.body = **png;
  co_return response;
}

/// Those of the screen, or of the site, where there is nothing that everybody may see.
awaitable<LinkTags> Pages::tags_of(std::string_view path) const {
  LinkTags tags;
  for (const Screen& screen : services::screens()) {
    if (path == screen.path || path.starts_with(std::string{screen.path} + '/')) {
      tags = {.title = std::string{screen.title}, .description = std::string{screen.description}};
    }
  }
  // A page does not wait for --store-wait.
  if (health_.store_away()) co_return tags;
  if (path.starts_with(kPlayerPath) || path.starts_with("/player/")) {
    const auto name = co_await name_of(path);
    if (name) tags = {.title = *name, .description = "Games, ratings and results."};
    co_return tags;
  }
  const auto id = table_of(path);
  if (!id) co_return tags;
  const auto row = co_await store_.table_rows().table(*id);
  if (!row) co_return tags;
  const auto preview = services::link_preview(*row);
  tags = {.title = preview.title, .description = preview.description};
  if (preview.drawn && pictures_.can_draw()) {
    tags.picture = std::string{kTablePath} + base::to_text(*id) + std::string{kPicture};
  }
  co_return tags;
}

/// Of a player whom everybody may look at, by "/@ada" or "/player/ID".
awaitable<std::optional<std::string>> Pages::name_of(std::string_view path) const {
  Expected<store::PlayerRow> player = refuse(ErrorCode::kNotFound, "");
  if (path.starts_with(kPlayerPath)) {
    auto handle = codec::read_handle(path.substr(kPlayerPath.size()));
    if (handle) player = co_await store_.profiles().holder(std::move(handle->key));
  } else if (const auto id = base::parse_id<PlayerId>(second_of(path))) {
    player = co_await store_.store().player(*id);
  }
  if (!player || player->erased_ms || player->audience != store::Audience::kEverybody) {
    co_return std::nullopt;
  }
  co_return player->display_name;
}

void Pages::add_routes(net::HttpRouter& router) const {
  const net::Route page{
      .name = "static",
      .verbs = {net::http::verb::get},
      .handle = [this](net::Request request) { return serve(std::move(request)); },
      .refuse = net::refuse_with_text};
  for (const std::string_view path : {kTablePath, kPlayerPath}) {
    router.prefix(std::string{path}, page);
  }
  for (const Screen& screen : services::screens()) {
    router.exact(std::string{screen.path}, page);
    if (screen.path != "/") router.prefix(std::string{screen.path} + '/', page);
  }
  if (docs_) {
    docs_->add_routes(router, std::string{kDocs} + "/");
    router.exact(std::string{kDocs}, {.name = "static",
                                      .verbs = {net::http::verb::get},
                                      .handle = to_docs,
                                      .refuse = net::refuse_with_text});
  }
  files_.add_routes(router);
}

}  // namespace tesela
