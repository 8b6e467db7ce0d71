#include "clients/cli/base/json.h"

#include <utility>

namespace tesela::cli {

std::unexpected<Error> unreadable(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

Expected<std::uint64_t> read_number(const Json& object, const std::string& field) {
  const auto found = object.find(field);
  if (found == object.end() || !found->is_number_unsigned()) {
    return unreadable("'" + field + "' must be a whole number that is not negative.");
  }
  return found->get<std::uint64_t>();
}

const Json& JsonReader::field(const Json& object, const std::string& name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end()) {
    refuse("There is no '" + name + "'.");
    return nothing_;
  }
  return *found;
}

std::span<const Json> JsonReader::list(const Json& value, const std::string& name,
                                       std::size_t least, std::size_t most) {
  if (failed()) return {};
  if (!value.is_array() || value.size() < least || value.size() > most) {
    const std::string count = least == most ? std::to_string(least)
                                            : std::to_string(least) + " to " + std::to_string(most);
    refuse("'" + name + "' must be a list of " + count + ".");
    return {};
  }
  return value.get_ref<const Json::array_t&>();
}

const Json& JsonReader::item(std::span<const Json> list, std::size_t index) const {
  return index < list.size() ? list[index] : nothing_;
}

int JsonReader::number(const Json& value, const std::string& name, int least, int most) {
  if (failed()) return least;
  // A number that is too large for 64 bits is a double, and no whole number here.
  const bool whole = value.is_number_integer() &&
                     (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT32_MAX);
  if (!whole || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
    refuse("'" + name + "' must be a whole number from " + std::to_string(least) + " to " +
           std::to_string(most) + ".");
    return least;
  }
  return value.get<int>();
}

bool JsonReader::boolean(const Json& value, const std::string& name) {
  if (!failed() && !value.is_boolean()) refuse("'" + name + "' must be true or false.");
  return !failed() && value.get<bool>();
}

void JsonReader::refuse(std::string message) {
  if (!failed()) error_ = Error{ErrorCode::kInvalidArgument, std::move(message)};
}

}  // namespace tesela::cli
