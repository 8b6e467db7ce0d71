#include "server/net/http_router.h"

#include <algorithm>
#include <utility>

namespace tesela::net {

void HttpRouter::exact(std::string path, Route route) {
  exact_.insert_or_assign(std::move(path), std::move(route));
}

void HttpRouter::prefix(std::string path, Route route) {
  const auto shorter = [&](const auto& entry) { return entry.first.size() < path.size(); };
  const auto at = std::ranges::find_if(prefixes_, shorter);
  prefixes_.emplace(at, std::move(path), std::move(route));
}

const Route* HttpRouter::find(std::string_view path) const {
  if (const auto at = exact_.find(path); at != exact_.end()) return &at->second;
  for (const auto& [prefix, route] : prefixes_) {
    if (path.starts_with(prefix)) return &route;
  }
  return nullptr;
}

Response refuse_with_text(const RequestHead& /*head*/, http::status status, std::string sentence) {
  return text_response(status, std::move(sentence));
}

}  // namespace tesela::net
