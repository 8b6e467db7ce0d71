#include "tests/server/execution/changed_fields.h"

#include <google/protobuf/any.pb.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>

#include "server/games/codec_parts.h"

namespace tesela::test {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

namespace {

/// Another value of a field of numbers, texts, … ; `at` in a repeated one.
void change_value(Message& message, const FieldDescriptor* field, int at) {
  const Reflection& values = *message.GetReflection();
  const bool many = field->is_repeated();
#define TESELA_CHANGE(Type, next)                                                               \
  do {                                                                                          \
    const auto old =                                                                            \
        many ? values.GetRepeated##Type(message, field, at) : values.Get##Type(message, field); \
    many ? values.SetRepeated##Type(&message, field, at, next)                                  \
         : values.Set##Type(&message, field, next);                                             \
  } while (false)
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      TESELA_CHANGE(Int32, old + 1);
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      TESELA_CHANGE(Int64, old + 1);
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      TESELA_CHANGE(UInt32, old + 1);
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      TESELA_CHANGE(UInt64, old + 1);
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      TESELA_CHANGE(Bool, !old);
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      TESELA_CHANGE(EnumValue, (old + 1) % field->enum_type()->value_count());
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      TESELA_CHANGE(String, old + "x");
      break;
    default:
      FAIL() << "no record has a field like " << field->full_name();
  }
#undef TESELA_CHANGE
}

/// Those inside an Any, beside its type and its bytes.
void add_fields_inside(const google::protobuf::Any& any, const std::string& path,
                       std::vector<Field>& fields) {
  const auto inside = message_of(games::type_of(any));
  ASSERT_TRUE(inside) << any.type_url();
  ASSERT_TRUE(inside->ParseFromString(any.value()));
  for (auto& [name, change] : fields_of(*inside, path)) {
    fields.push_back({name, [change](Message& message) {
                        auto& packed = dynamic_cast<google::protobuf::Any&>(message);
                        const auto body = message_of(games::type_of(packed));
                        body->ParseFromString(packed.value());
                        change(*body);
                        packed.set_value(body->SerializeAsString());
                      }});
  }
  fields.push_back({path + ".@type", [](Message& message) {
                      auto& packed = dynamic_cast<google::protobuf::Any&>(message);
                      packed.set_type_url("example.org/" + std::string(games::type_of(packed)));
                    }});
}

void add_repeated(const Message& message, const FieldDescriptor* field, const std::string& path,
                  std::vector<Field>& fields) {
  const int size = message.GetReflection()->FieldSize(message, field);
  fields.push_back({path + "[]", [field, size](Message& changed) {
                      const Reflection& values = *changed.GetReflection();
                      if (size > 0) values.RemoveLast(&changed, field);
                    }});
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    fields.push_back({path + "[]", [field](Message& changed) {
                        changed.GetReflection()->AddMessage(&changed, field);
                      }});
  }
  for (const int at : std::set{0, size / 2, size - 1}) {
    if (at < 0 || at >= size) continue;
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      fields.push_back({path, [field, at](Message& changed) { change_value(changed, field, at); }});
      continue;
    }
    const Message& one = message.GetReflection()->GetRepeatedMessage(message, field, at);
    for (auto& [name, change] : fields_of(one, path)) {
      fields.push_back({name, [field, at, change](Message& changed) {
                          const Reflection& values = *changed.GetReflection();
                          change(*values.MutableRepeatedMessage(&changed, field, at));
                        }});
    }
  }
}

}  // namespace

std::unique_ptr<Message> message_of(std::string_view full_name) {
  const auto* type = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(
      std::string(full_name));
  if (type == nullptr) return nullptr;
  return std::unique_ptr<Message>(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(type)->New());
}

std::vector<Field> fields_of(const Message& message, const std::string& path) {
  std::vector<Field> fields;
  if (const auto* any = dynamic_cast<const google::protobuf::Any*>(&message);
      any != nullptr && !any->type_url().empty()) {
    add_fields_inside(*any, path, fields);
  }
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message.GetDescriptor()->field(i);
    const std::string name = path.empty() ? field->name() : path + "." + field->name();
    if (field->is_repeated()) {
      add_repeated(message, field, name, fields);
    } else if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      fields.push_back({name, [field](Message& changed) { change_value(changed, field, 0); }});
    } else {
      const Reflection& values = *message.GetReflection();
      fields.push_back({name, [field](Message& changed) {
                          const Reflection& all = *changed.GetReflection();
                          if (all.HasField(changed, field)) {
                            all.ClearField(&changed, field);
                          } else {
                            all.MutableMessage(&changed, field);
                          }
                        }});
      for (auto& [inner, change] : fields_of(values.GetMessage(message, field), name)) {
        fields.push_back({inner, [field, change](Message& changed) {
                            change(*changed.GetReflection()->MutableMessage(&changed, field));
                          }});
      }
    }
  }
  return fields;
}

}  // namespace tesela::test
