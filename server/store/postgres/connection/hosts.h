// The hosts that the URL of a database names.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tesela::store::postgres {

/// One host to connect to.
struct Host {
  std::vector<std::pair<std::string, std::string>>
      options;                                   // libpq's, each a keyword and its value
  std::optional<std::chrono::seconds> time_max;  // connect_timeout, if it is given
};

/// The hosts of `url`, in their order. libpq goes on to the next host by itself, but not because
/// one is silent: it keeps to connect_timeout only in calls that block. A URL that cannot be
/// divided is one host, at which libpq says what is wrong.
[[nodiscard]] std::vector<Host> hosts_of(const std::string& url);

}  // namespace tesela::store::postgres
