#include "clients/cli/games/terminal_game.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace tesela::cli {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Sets a field by the method of Reflection for fields of its type.
template <class Value, class Set>
void add_value_option(CLI::App& app, Message& config, const FieldDescriptor& field,
                      const FieldOption& option, Set set) {
  app.add_option_function<Value>(
      option.name,
      [&config, &field, set](const Value& value) {
        (config.GetReflection()->*set)(&config, &field, value);
      },
      option.about);
}

void add_field_option(CLI::App& app, Message& config, const FieldOption& option) {
  const FieldDescriptor& field = *config.GetDescriptor()->FindFieldByName(option.field);
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      add_value_option<std::uint32_t>(app, config, field, option, &Reflection::SetUInt32);
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      add_value_option<std::uint64_t>(app, config, field, option, &Reflection::SetUInt64);
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      add_value_option<std::string>(app, config, field, option, &Reflection::SetString);
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      app.add_flag_callback(
          option.name,
          [&config, &field] { config.GetReflection()->SetBool(&config, &field, true); },
          option.about);
      break;
    default:
      throw std::logic_error(std::string{option.name} + " has a field of an unexpected type");
  }
}

}  // namespace

void add_field_options(CLI::App& app, Message& config, std::span<const FieldOption> options) {
  for (const FieldOption& option : options) add_field_option(app, config, option);
}

}  // namespace tesela::cli
