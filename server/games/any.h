// The type of the message inside an Any.
#pragma once

#include <google/protobuf/any.pb.h>

#include <string>
#include <string_view>

namespace tesela::games {

/// Its full name, "tesela.game.v1.Game2048Move"; empty where none is named. It lives as long as
/// `any` is left as it is.
[[nodiscard]] inline std::string_view type_of(const google::protobuf::Any& any) {
  const std::string_view url = any.type_url();
  return url.substr(url.rfind('/') + 1);  // npos + 1 is 0
}

/// What an Any says when it holds a message of this full name.
[[nodiscard]] inline std::string type_url_of(std::string_view full_name) {
  return std::string("type.googleapis.com/").append(full_name);
}

}  // namespace tesela::games
