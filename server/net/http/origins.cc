#include "server/net/http/origins.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

namespace tesela::net {

Origin Origins::judge(std::string_view origin, std::string_view host) const {
  using boost::beast::iequals;
  if (origin.empty()) return Origin::kNone;
  const std::size_t scheme = origin.find("://");
  if (scheme != std::string_view::npos && !host.empty() &&
      iequals(origin.substr(scheme + 3), host)) {
    return Origin::kSame;
  }
  const bool allowed = std::ranges::any_of(
      allowed_, [&](const std::string& known) { return known == "*" || iequals(known, origin); });
  return allowed ? Origin::kAllowed : Origin::kRefused;
}

}  // namespace tesela::net
