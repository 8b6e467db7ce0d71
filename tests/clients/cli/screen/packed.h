// Messages as they travel.
#pragma once

#include <google/protobuf/any.pb.h>

#include <cstdint>
#include <initializer_list>
#include <utility>

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

/// Points and ranks, by seat.
inline play::v1::Result result_of(
    std::initializer_list<std::pair<std::int64_t, std::uint32_t>> standings) {
  play::v1::Result result;
  for (const auto& [points, rank] : standings) {
    auto& standing = *result.add_standings();
    standing.set_seat(static_cast<std::uint32_t>(result.standings_size()) - 1);
    standing.set_points(points);
    standing.set_rank(rank);
  }
  return result;
}

}  // namespace tesela::cli
