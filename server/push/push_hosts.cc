#include "server/push/push_hosts.h"

#include <algorithm>
#include <utility>

#include "server/fetch/url.h"
#include "server/push/push_limits.h"

namespace tesela::push {
namespace {

constexpr std::string_view kWildcard = "*.";

bool is_wildcard(std::string_view name) {
  return name.starts_with(kWildcard);
}

bool fits(std::string_view name, std::string_view host) {
  return is_wildcard(name) ? host.ends_with(name.substr(1)) : host == name;
}

/// A name of a host, in lower case, or what has a wildcard before one.
bool is_name(std::string_view name) {
  if (is_wildcard(name)) name.remove_prefix(kWildcard.size());
  const auto url = fetch::Url::parse("https://" + std::string(name));
  return url && url->authority() == name && url->target == "/";
}

}  // namespace

PushHosts::PushHosts()
    : names_{"fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com",
             "*.notify.windows.com"} {}

Expected<PushHosts> PushHosts::parse(std::string_view list) {
  PushHosts hosts;
  hosts.names_.clear();
  hosts.of_operator_ = true;
  if (list == "none") return hosts;
  for (std::string_view rest = list;; rest.remove_prefix(rest.find(',') + 1)) {
    std::string name(rest.substr(0, rest.find(',')));
    if (!is_name(name)) {
      return refuse(ErrorCode::kInvalidArgument,
                    "\"" + name +
                        "\" is no host; give names in lower case with commas, such as "
                        "push.example,*.push.example, or none.");
    }
    hosts.names_.push_back(std::move(name));
    if (!rest.contains(',')) return hosts;
  }
}

Expected<fetch::Question> PushHosts::at(std::string_view endpoint) const {
  auto url = fetch::Url::parse(endpoint);
  if (endpoint.size() > limits::kEndpointBytesMax || !url || !url->tls) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The endpoint must be a URL of https, of at most 1,024 bytes: "
                  "PushSubscription.toJSON() has it.");
  }
  const auto name =
      std::ranges::find_if(names_, [&](const auto& each) { return fits(each, url->host); });
  if (name == names_.end()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "This server sends no pushes to " + url->host +
                      ": its operator has not named it in --push-hosts.");
  }
  const bool only_public = !of_operator_ || is_wildcard(*name);
  if (only_public && url->port != "443") {
    return refuse(ErrorCode::kInvalidArgument, "The endpoint must be at port 443.");
  }
  return fetch::Question{.url = *std::move(url), .only_public = only_public};
}

}  // namespace tesela::push
