#include "server/app/pages.h"

#include <boost/algorithm/string/replace.hpp>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/text_encoding.h"
#include "server/codec/shown_text.h"

namespace tesela {
namespace {

constexpr std::string_view kPlayerPath = "/@";
constexpr std::string_view kDocs = "/docs";

std::string escaped(std::string text) {
  boost::replace_all(text, "&", "&amp;");
  boost::replace_all(text, "<", "&lt;");
  boost::replace_all(text, "\"", "&quot;");
  return text;
}

std::string links_of_operator(const ops::Config& config) {
  std::string head;
  for (const auto& [relation, url] : {std::pair{"terms-of-service", &config.terms_url},
                                      std::pair{"privacy-policy", &config.privacy_url}}) {
    if (url->empty()) continue;
    head += std::string("<link rel=\"") + relation + "\" href=\"" + escaped(*url) + "\" />";
  }
  return head;
}

std::string tags(const services::LinkPreview& preview, const std::string& origin) {
  std::string head;
  const auto add = [&head](std::string_view property, std::string_view content) {
    head += "<meta property=\"og:";
    head.append(property).append("\" content=\"").append(escaped(std::string(content)));
    head += "\" />";
  };
  add("site_name", "Tesela");
  add("type", "website");
  add("title", preview.title);
  if (!preview.description.empty()) add("description", preview.description);
  if (!origin.empty()) add("image", origin + "/icon-512.png");
  return head;
}

/// By TLS and on localhost, browsers say that somebody opens a page. Programs that show links do
/// not, though some (Node's fetch) have the header.
bool is_browser(const net::Request& request) {
  return request["Sec-Fetch-Mode"] == "navigate";
}

/// The links of the site are relative.
boost::asio::awaitable<net::Response> to_docs(net::Request /*request*/) {
  net::Response response;
  response.status = net::http::status::permanent_redirect;
  response.headers.set(net::http::field::location, std::string{kDocs} + "/");
  co_return response;
}

/// "/t/0123456789abc" and "/replay/0123456789abc/12"
std::optional<TableId> table_of(std::string_view path) {
  path.remove_prefix(path.find('/', 1) + 1);
  return base::parse_table_id(path.substr(0, path.find('/')));
}

}  // namespace

Pages::Pages(const ops::Config& config, store::TableRows& tables, store::Profiles& profiles,
             const ops::Health& health)
    : files_(net::embedded_web_client(), links_of_operator(config)),
      tables_(tables),
      profiles_(profiles),
      health_(health),
      origin_(config.account_origin) {
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

boost::asio::awaitable<net::Response> Pages::serve(net::Request request) const {
  if (is_browser(request)) co_return files_.serve(request);
  services::LinkPreview preview;
  // A page does not wait for --store-wait. Browsers that use plain HTTP come here too.
  if (!health_.store_away()) preview = co_await preview_of(net::path_of(request.target()));
  co_return files_.page(tags(preview, origin_));
}

/// That of the site, where there is nothing that everybody may see.
boost::asio::awaitable<services::LinkPreview> Pages::preview_of(std::string_view path) const {
  if (path.starts_with(kPlayerPath)) {
    auto handle = codec::read_handle(path.substr(kPlayerPath.size()));
    if (!handle) co_return services::LinkPreview{};
    const auto player = co_await profiles_.holder(std::move(handle->key));
    if (!player || player->audience != store::Audience::kEverybody)
      co_return services::LinkPreview{};
    co_return services::LinkPreview{.title = player->display_name,
                                    .description = "Games, ratings and results."};
  }
  const auto id = table_of(path);
  if (!id) co_return services::LinkPreview{};
  const auto row = co_await tables_.table(*id);
  if (!row) co_return services::LinkPreview{};
  co_return services::link_preview(*row);
}

void Pages::add_routes(net::HttpRouter& router) const {
  for (const std::string_view path :
       {std::string_view{"/t/"}, std::string_view{"/replay/"}, kPlayerPath}) {
    router.prefix(std::string{path},
                  {.name = "static",
                   .verbs = {net::http::verb::get},
                   .handle = [this](net::Request request) { return serve(std::move(request)); },
                   .refuse = net::refuse_with_text});
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
