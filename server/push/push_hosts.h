// The push services at which devices may be subscribed (--push-hosts).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "server/fetch/fetch.h"

namespace tesela::push {

/// Immutable: any thread.
class PushHosts {
 public:
  /// Those of Chrome, Firefox, Safari and Edge.
  PushHosts();

  /// Names with commas, and "*." before one for all below it. "none": there are none. A host that
  /// is named in full may have a private address. Error: kInvalidArgument.
  [[nodiscard]] static Expected<PushHosts> parse(std::string_view list);

  /// How a device is reached. Error: kInvalidArgument for what is no https, or at another host.
  [[nodiscard]] Expected<fetch::Question> at(std::string_view endpoint) const;

  [[nodiscard]] bool none() const { return names_.empty(); }

 private:
  std::vector<std::string> names_;
  bool of_operator_{};
};

}  // namespace tesela::push
