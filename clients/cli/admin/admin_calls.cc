#include "clients/cli/admin/admin_calls.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace tesela::cli {

Expected<std::string> read_token(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::string token{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    return refuse(ErrorCode::kNotFound, "The file " + name +
                                            " cannot be read: --token-file names the server's "
                                            "admin.key, or a copy of it.");
  }
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  const bool fits = std::ranges::all_of(token, [](char c) { return c > ' ' && c <= '~'; });
  if (token.empty() || !fits) {
    return refuse(ErrorCode::kInvalidArgument, "The file " + name + " holds no admin token.");
  }
  return token;
}

void print_json(const google::protobuf::Message& response) {
  google::protobuf::util::JsonPrintOptions style;
  style.add_whitespace = true;
  style.always_print_primitive_fields = true;
  std::string text;
  const auto printed = google::protobuf::util::MessageToJsonString(response, &text, style);
  if (!printed.ok()) fail("The answer cannot be printed: " + std::string(printed.message()) + ".");
  print(std::cout, Printed::lines(text));
}

void add_text(CLI::App& command, const char* name, const char* type, const char* about,
              const TakeText& take, bool required) {
  command.add_option_function<std::string>(name, take, about)->type_name(type)->required(required);
}

}  // namespace tesela::cli
