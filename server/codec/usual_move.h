// Reads the frame of a Move, the most frequent one, without protobuf's objects.
#pragma once

#include <optional>
#include <string_view>

#include "server/codec/frame.h"

namespace tesela::codec {

/// The action of a Move whose body is a message of this full name.
[[nodiscard]] Act act_of(std::string_view type);

/// The Move in an encoded ClientFrame, if it is encoded as usual (WireReader) and its text is
/// UTF-8. Empty for every other frame: protobuf's parser reads that, or says what is wrong.
[[nodiscard]] std::optional<Move> read_usual_move(std::string_view frame);

}  // namespace tesela::codec
