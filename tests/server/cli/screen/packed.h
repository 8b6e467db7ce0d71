// Messages as they travel.
#pragma once

#include <google/protobuf/any.pb.h>

#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

inline google::protobuf::Any packed(const google::protobuf::Message& message) {
  google::protobuf::Any any;
  any.PackFrom(message);
  return any;
}

inline play::v1::Event event_of(const google::protobuf::Message& body, std::uint32_t seat = 0) {
  play::v1::Event event;
  event.set_seat(seat);
  *event.mutable_body() = packed(body);
  return event;
}

}  // namespace tesela::cli
