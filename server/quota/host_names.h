// The names under which a server is reached. A page whose name resolves to the server's address
// (DNS rebinding) sends its own name as the host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace tesela::quota {

/// Immutable: any thread.
class HostNames {
 public:
  /// Names with commas between, such as "play.example.org,localhost"; "none" is the empty set.
  /// Errors: kInvalidArgument.
  [[nodiscard]] static Expected<HostNames> parse(std::string_view text);

  /// Whether the host of a request, with or without a port, is localhost, an IP address or one of
  /// the names. A request without a host does not come from a page: true.
  [[nodiscard]] bool own(std::string_view host) const;
  /// Whether requests for the host are answered: all are where no name was given.
  [[nodiscard]] bool admits(std::string_view host) const { return names_.empty() || own(host); }

 private:
  std::vector<std::string> names_;  // in lower case
};

/// The refusal of requests for another host.
inline constexpr std::string_view kForeignHost =
    "The host of this request is not one of this server's names (--hosts).";

/// The same where a name that is not given in --hosts is no fault by itself.
inline constexpr std::string_view kOperatorsHost =
    "Operators are answered under localhost, an IP address or a name of --hosts alone.";

}  // namespace tesela::quota
