// Changing one field of a message at a time.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::test {

/// A message of a type that this program knows; null for another.
std::unique_ptr<google::protobuf::Message> message_of(std::string_view full_name);

struct Field {
  std::string path;
  std::function<void(google::protobuf::Message&)> change;
};

/// Every field of a message and of those inside, also where it is not set, and how it is changed.
/// `path` leads to the message, and begins the paths of its fields.
std::vector<Field> fields_of(const google::protobuf::Message& message, const std::string& path);

}  // namespace tesela::test
