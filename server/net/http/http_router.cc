#include "server/net/http/http_router.h"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <utility>

#include "server/base/log/seldom_log.h"

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

boost::asio::awaitable<Response> serve(const Route& route, Request request) {
  try {
    co_return co_await route.handle(std::move(request));
  } catch (const std::exception& fault) {
    const auto* error = dynamic_cast<const boost::system::system_error*>(&fault);
    // Otherwise it was cancelled: whoever has asked is gone.
    if (error == nullptr || error->code() != boost::asio::error::operation_aborted) {
      static base::SeldomLog lines;
      lines.log(spdlog::level::err, "a request of the class {} failed: {}", route.name,
                fault.what());
    }
  }
  co_return text_response(http::status::internal_server_error,
                          "The server made a mistake; it has been logged.");
}

bool allows(const Route& route, http::verb verb) {
  for (const http::verb allowed : route.verbs) {
    if (verb == allowed || (verb == http::verb::head && allowed == http::verb::get)) return true;
  }
  return false;
}

std::string allowed_verbs(const Route& route) {
  std::string list;
  for (const http::verb verb : route.verbs) {
    if (!list.empty()) list += ", ";
    list += http::to_string(verb);
    if (verb == http::verb::get) list += ", HEAD";
  }
  return list;
}

Response refuse_with_text(const RequestHead& /*head*/, http::status status, std::string sentence) {
  return text_response(status, std::move(sentence));
}

}  // namespace tesela::net
