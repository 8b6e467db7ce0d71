#include "server/net/http/static_files.h"

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <utility>

#include "server/net/http/content_coding.h"
#include "server/net/http/entity_tag.h"
#include "server/net/http/header_values.h"

namespace tesela::net {
namespace {

using boost::beast::iequals;

constexpr std::string_view kIndex = "/index.html";

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kTypes{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".webp", "image/webp"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".ogg", "audio/ogg"},
    {".txt", "text/plain; charset=utf-8"},
}};

// Everything from this server, nothing inline: the client moves its tiles through the style objects
// of scripts, which the policy does not touch.
constexpr std::string_view kPolicy =
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

std::string_view type_of(std::string_view path) {
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

bool accepts_pages(std::string_view accept) {
  return std::ranges::any_of(elements_of(accept), [](std::string_view element) {
    const auto type = parse_media_type(element);
    return type && iequals(type->name, "text/html") && type->weight > 0;
  });
}

bool is_clients_own(std::string_view path, const Request& request) {
  return path.substr(path.rfind('/')).find('.') == std::string_view::npos &&
         accepts_pages(request[http::field::accept]);
}

void secure(Response& response) {
  response.headers.set("Content-Security-Policy", kPolicy);
  response.headers.set("Referrer-Policy", "no-referrer");
  response.headers.set("Cross-Origin-Opener-Policy", "same-origin");
}

boost::asio::awaitable<Response> ready(Response response) {
  co_return response;
}

}  // namespace

StaticFiles::StaticFiles(std::span<const EmbeddedFile> files, std::string_view head) {
  for (const EmbeddedFile& file : files) {
    const std::string digest = digest_of(file.content);
    files_[std::string{file.path}].identity = {file.content, '"' + digest + '"'};
  }
  const auto adopt = [this](const std::string& ending, Form File::* form) {
    std::erase_if(files_, [&](const auto& entry) {
      const auto& [path, file] = entry;
      if (!path.ends_with(ending)) return false;
      const auto base = files_.find(std::string_view{path}.substr(0, path.size() - ending.size()));
      if (base == files_.end()) return false;
      base->second.*form = file.identity;
      return true;
    });
  };
  adopt(".br", &File::br);
  adopt(".gz", &File::gz);
  const auto index = files_.find(kIndex);
  if (head.empty() || index == files_.end()) return;
  index_ = index->second.identity.content;
  index_.insert(std::min(index_.find("</head>"), index_.size()), head);
  // Small enough to be sent as it is.
  index->second = {.identity = {index_, '"' + digest_of(index_) + '"'}, .br = {}, .gz = {}};
}

const StaticFiles::File* StaticFiles::find(const Request& request, std::string_view& path) const {
  path = path_of(request.target());
  if (path.empty() || path.front() != '/') return nullptr;
  auto at = files_.find(path);
  if (at == files_.end() && path.ends_with('/')) {
    at = files_.find(std::string{path}.append("index.html"));
  }
  if (at == files_.end() && is_clients_own(path, request)) {
    at = files_.find(std::string{path.substr(0, path.find_last_not_of('/') + 1)} + ".html");
    if (at == files_.end()) at = files_.find(kIndex);
  }
  if (at == files_.end()) return nullptr;
  path = at->first;
  return &at->second;
}

Response StaticFiles::serve(const Request& request) const {
  std::string_view path;
  const File* file = find(request, path);
  if (file == nullptr) {
    Response response = text_response(http::status::not_found, "There is nothing here.");
    secure(response);
    return response;
  }
  const bool has_gz = !file->gz.content.empty();
  const bool has_br = !file->br.content.empty();
  const Coding coding = choose_coding(request[http::field::accept_encoding], has_gz, has_br);
  const Form& form = coding == Coding::kBrotli ? file->br
                     : coding == Coding::kGzip ? file->gz
                                               : file->identity;
  Response response;
  secure(response);
  response.headers.set(http::field::cache_control, path.starts_with("/assets/")
                                                       ? "public, max-age=31536000, immutable"
                                                       : "no-cache");
  if (has_gz || has_br) response.headers.set(http::field::vary, "Accept-Encoding");
  if (revalidates(request, form.etag, response)) return response;
  response.headers.set(http::field::content_type, type_of(path));
  if (coding == Coding::kBrotli) response.headers.set(http::field::content_encoding, "br");
  if (coding == Coding::kGzip) response.headers.set(http::field::content_encoding, "gzip");
  response.body = form.content;
  return response;
}

Response StaticFiles::page(std::string_view head) const {
  const auto index = files_.find(kIndex);
  if (index == files_.end()) return text_response(http::status::not_found, "There is no page.");
  std::string body{index->second.identity.content};
  // What it says about itself, which stands together.
  const std::size_t from = std::min(body.find("<meta name=\"description\""), body.size());
  constexpr std::string_view kEnd = "</title>";
  const std::size_t end = body.find(kEnd, from);
  if (end == std::string::npos) {
    body.insert(std::min(body.find("</head>"), body.size()), head);
  } else {
    body.replace(from, end + kEnd.size() - from, head);
  }
  Response response;
  secure(response);
  response.headers.set(http::field::cache_control, "no-store");
  response.headers.set(http::field::content_type, type_of(kIndex));
  response.body = std::move(body);
  return response;
}

void StaticFiles::add_routes(HttpRouter& router, std::string prefix) const {
  router.prefix(std::move(prefix), route());
}

void StaticFiles::add_routes_of(std::string path, HttpRouter& router) const {
  router.exact(std::move(path), route());
  router.exact("/icon.svg", route());
  router.prefix("/assets/", route());
}

Route StaticFiles::route() const {
  return {.name = "static",
          .verbs = {http::verb::get},
          .handle = [this](const Request& request) { return ready(serve(request)); },
          .refuse = refuse_with_text};
}

}  // namespace tesela::net
