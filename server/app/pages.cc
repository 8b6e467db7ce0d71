#include "server/app/pages.h"

#include <boost/algorithm/string/replace.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "server/base/text_encoding.h"
#include "server/services/history/link_preview.h"

namespace tesela {
namespace {

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

/// "/t/0123456789abc" and "/replay/0123456789abc/12"
std::optional<TableId> table_of(const net::Request& request) {
  std::string_view id = net::path_of(request.target());
  id.remove_prefix(id.find('/', 1) + 1);
  return base::parse_table_id(id.substr(0, id.find('/')));
}

}  // namespace

Pages::Pages(const ops::Config& config, store::TableRows& tables, const ops::Health& health)
    : files_(net::embedded_web_client(), links_of_operator(config)),
      tables_(tables),
      health_(health),
      origin_(config.account_origin) {}

boost::asio::awaitable<net::Response> Pages::serve(net::Request request) const {
  if (is_browser(request)) co_return files_.serve(request);
  services::LinkPreview preview;
  // A page does not wait for --store-wait. Browsers that use plain HTTP come here too.
  if (const auto id = table_of(request); id && !health_.store_away()) {
    if (const auto row = co_await tables_.table(*id)) preview = services::link_preview(*row);
  }
  co_return files_.page(tags(preview, origin_));
}

void Pages::add_routes(net::HttpRouter& router) const {
  for (const char* path : {"/t/", "/replay/"}) {
    router.prefix(path,
                  {.name = "static",
                   .verbs = {net::http::verb::get},
                   .handle = [this](net::Request request) { return serve(std::move(request)); },
                   .refuse = net::refuse_with_text});
  }
  files_.add_routes(router);
}

}  // namespace tesela
