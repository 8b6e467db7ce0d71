// A legal move, as the view of a position offers them.
#pragma once

#include <google/protobuf/any.pb.h>

#include <cstdint>
#include <optional>

namespace tesela::sim {

/// `which` chooses among them. None: the view offers no move, or is of an unknown game.
[[nodiscard]] std::optional<google::protobuf::Any> move_for(const google::protobuf::Any& view,
                                                            std::uint64_t which);
/// The view after an event, of its body; an empty Any if the body has none.
[[nodiscard]] google::protobuf::Any view_of(const google::protobuf::Any& body);

}  // namespace tesela::sim
