// Reading JSON that somebody else has written, when there is much of it: values that can be worked
// with in any case, and the first thing that was wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "clients/cli/base/rules_json.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// Once something was wrong, everything reads as the least it may be, an empty list or an empty
/// object. So a reader goes on to its end and asks then whether it `failed`. What it refuses it
/// names as the caller does.
class JsonReading {
 public:
  /// The field of an object.
  [[nodiscard]] const Json& field(const Json& object, const std::string& name);
  /// A list of `least` to `most` items.
  [[nodiscard]] std::span<const Json> list(const Json& value, const std::string& name,
                                           std::size_t least, std::size_t most);
  /// The item of such a list, which has it unless something was wrong.
  [[nodiscard]] const Json& item(std::span<const Json> list, std::size_t index) const;
  /// A whole number from `least` to `most`.
  [[nodiscard]] int number(const Json& value, const std::string& name, int least, int most);
  /// True or false.
  [[nodiscard]] bool truth(const Json& value, const std::string& name);

  /// Remembers what was wrong, if it is the first.
  void refuse(std::string message);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  /// Only when it has failed.
  [[nodiscard]] std::unexpected<Error> error() const { return std::unexpected(*error_); }

 private:
  const Json nothing_;
  std::optional<Error> error_;
};

}  // namespace tesela::cli
