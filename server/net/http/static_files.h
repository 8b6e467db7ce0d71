// Pages from memory, such as the web client, which is embedded in the program: with validators and
// compressed forms.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "server/net/http/http_message.h"
#include "server/net/http/http_router.h"

namespace tesela::net {

/// A file at its path, such as "/assets/index-1a2b.js".
struct EmbeddedFile {
  std::string_view path;
  std::string_view content;
};

/// What the build embedded: clients/web/dist (CMake's TESELA_WEB_DIST), or where there was none a
/// page that says how to make it.
[[nodiscard]] std::span<const EmbeddedFile> embedded_web_client();

/// Immutable: any thread.
class StaticFiles {
 public:
  /// `x.br` and `x.gz` are taken as compressed forms of `x` where that is there too. The contents
  /// outlive this. `head`, HTML of the operator, ends the head of index.html.
  explicit StaticFiles(std::span<const EmbeddedFile> files, std::string_view head = {});
  StaticFiles(const StaticFiles&) = delete;
  StaticFiles& operator=(const StaticFiles&) = delete;

  /// GET and HEAD of a path: the file in the best form the client accepts; 304 when it has it
  /// already. A path that ends with "/" is the index.html there. A path without a dot, asked for by
  /// a browser (Accept: text/html), is the page at that path with ".html", or else /index.html.
  [[nodiscard]] Response serve(const Request& request) const;

  /// index.html with `head`, HTML, in the place of its description and title, in no compressed form
  /// and for this answer alone.
  [[nodiscard]] Response page(std::string_view head) const;

  /// Answers every path that begins with `prefix` and has no other route.
  void add_routes(HttpRouter& router, std::string prefix = "/") const;

  /// Answers the path of this page, and those of the files that pages consist of.
  void add_routes_of(std::string path, HttpRouter& router) const;

 private:
  struct Form {
    std::string_view content;
    std::string etag;
  };
  struct File {
    Form identity;
    Form br;  // without content where there is none
    Form gz;
  };

  [[nodiscard]] Route route() const;
  [[nodiscard]] const File* find(const Request& request, std::string_view& path) const;

  std::map<std::string, File, std::less<>> files_;
  std::string index_;  // with the operator's head, if there is one
};

}  // namespace tesela::net
