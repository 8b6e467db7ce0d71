#include "server/codec/json_fault.h"

#include <google/protobuf/any.pb.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

namespace tesela::codec {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;
// Not the ordered one, whose objects are searched from end to end for each member.
using Json = nlohmann::json;

// As deep as the library reads.
constexpr int kDepthMax = 100;
// The bytes of text that may be examined; each question costs as much as a thousand more. Beyond
// that the clause is about the whole rest.
constexpr std::ptrdiff_t kAskedMax = std::ptrdiff_t{128} * 1024;
constexpr std::ptrdiff_t kQuestionCost = 1024;
constexpr std::string_view kObject = "an object";

const Field* field_of(const pb::Descriptor& type, const std::string& name) {
  for (int i = 0; i < type.field_count(); ++i) {
    const Field* field = type.field(i);
    if (field->json_name() == name || field->name() == name) return field;
  }
  return nullptr;
}

// The name of a field that does not exist is a client's.
bool may_be_shown(const std::string& name) {
  constexpr std::size_t kNameMax = 64;
  return !name.empty() && name.size() <= kNameMax && std::ranges::all_of(name, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '@');
  });
}

std::string names_of(const pb::EnumDescriptor& values) {
  std::string names;
  for (int i = 0; i < values.value_count(); ++i) {
    if (i > 0) names += ", ";
    names += values.value(i)->name();
  }
  return names;
}

std::string kind_of(const pb::Descriptor& type) {
  if (type.full_name() == "google.protobuf.Timestamp") return "a time as in RFC 3339";
  if (type.full_name() == "google.protobuf.Duration") return "a time in seconds, such as \"1.5s\"";
  return std::string(kObject);
}

std::string kind_of(const Field& field) {
  switch (field.cpp_type()) {
    case Field::CPPTYPE_INT32:
      return "a whole number of 32 bits";
    case Field::CPPTYPE_UINT32:
      return "a whole number of 32 bits that is not negative";
    case Field::CPPTYPE_INT64:
      return "a whole number of 64 bits";
    case Field::CPPTYPE_UINT64:
      return "a whole number of 64 bits that is not negative";
    case Field::CPPTYPE_DOUBLE:
    case Field::CPPTYPE_FLOAT:
      return "a number";
    case Field::CPPTYPE_BOOL:
      return "true or false";
    case Field::CPPTYPE_ENUM:
      return "one of " + names_of(*field.enum_type());
    case Field::CPPTYPE_STRING:
      return field.type() == Field::TYPE_BYTES ? "a text in base 64" : "a text";
    case Field::CPPTYPE_MESSAGE:
      return kind_of(*field.message_type());
  }
  return "what it must be";
}

/// Looks for the first part that the library refuses by itself.
class Search {
 public:
  explicit Search(const ReadsJson& reads) : reads_(reads) {}

  /// `path` leads to the object: "filter." or nothing. Empty: every part is read.
  std::optional<std::string> fault_in(const Json& object, const pb::Descriptor& type,
                                      const std::string& path) {
    if (&type == pb::Any::descriptor()) return fault_in_any(object, path);
    const pb::OneofDescriptor* chosen = nullptr;
    for (const auto& [name, value] : object.items()) {
      const Field* field = field_of(type, name);
      if (field == nullptr) return unknown(name, path);
      if (!reads(type, Json::object({{name, value}}))) return fault_of(*field, name, value, path);
      const pb::OneofDescriptor* choice = field->real_containing_oneof();
      if (choice != nullptr && choice == chosen) {
        return ("the field " + path).append(name).append(" excludes another one that is there");
      }
      if (choice != nullptr) chosen = choice;
    }
    return std::nullopt;
  }

 private:
  bool reads(const pb::Descriptor& type, const Json& part) {
    const std::string json = part.dump();
    left_ -= kQuestionCost + std::ssize(json);
    return left_ < 0 || reads_(type, json);
  }

  static std::string unknown(const std::string& name, const std::string& path) {
    if (may_be_shown(name)) return "the field " + path + name + " is not known";
    return "there is a field" + (path.empty() ? "" : " in " + path.substr(0, path.size() - 1)) +
           " that is not known";
  }

  std::optional<std::string> fault_in_any(const Json& object, const std::string& path) {
    const auto url = object.find("@type");
    const std::string name = url != object.end() && url->is_string() ? url->get<std::string>() : "";
    const auto* type = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(
        name.substr(name.rfind('/') + 1));
    if (type == nullptr) return "the field " + path + "@type names no message that is known";
    Json fields = object;
    fields.erase("@type");
    return fault_in(fields, *type, path);
  }

  /// Of a member that is not read.
  std::string fault_of(const Field& field, const std::string& name, const Json& value,
                       const std::string& path) {
    if (!field.is_repeated()) return fault_of_value(field, value, path + name);
    if (field.is_map() || !value.is_array()) return "the field " + path + name + " is not a list";
    for (std::size_t i = 0; i < value.size() && left_ > 0; ++i) {
      const Json one = Json::array({value[i]});
      if (reads(*field.containing_type(), Json::object({{name, one}}))) continue;
      return fault_of_value(field, value[i], path + name + "[" + std::to_string(i) + "]");
    }
    return "an element of the field " + path + name + " is not " + kind_of(field);
  }

  std::string fault_of_value(const Field& field, const Json& value, const std::string& path) {
    const std::string kind = kind_of(field);
    if (kind != kObject || !value.is_object()) return "the field " + path + " is not " + kind;
    return fault_in(value, *field.message_type(), path + ".")
        .value_or("the field " + path + " does not fit");
  }

  const ReadsJson& reads_;
  std::ptrdiff_t left_ = kAskedMax;
};

}  // namespace

std::string json_fault(std::string_view json, const pb::Descriptor& type, const ReadsJson& reads) {
  if (json.empty()) return "it is empty; {} is a message without fields";
  bool deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > kDepthMax;
    return !deep;
  };
  try {
    const Json body = Json::parse(json, look);
    if (deep) return "it is nested too deeply";
    if (!body.is_object()) return "it is not an object";
    return Search(reads).fault_in(body, type, {}).value_or("its fields do not fit");
  } catch (const Json::parse_error& error) {
    return "it is not JSON at byte " + std::to_string(error.byte);
  } catch (const Json::exception&) {
    return "it holds a number that is too large";
  }
}

}  // namespace tesela::codec
