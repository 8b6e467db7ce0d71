#include "server/codec/usual_move.h"

#include <google/protobuf/any.pb.h>
#include <tesela/play/v1/course.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <optional>
#include <utility>

#include "server/base/text_encoding.h"
#include "server/base/wire_reader.h"

namespace tesela::codec {
namespace {

constexpr std::string_view kUsualPrefix = "type.googleapis.com/";

/// The type that a body's URL names; empty if the URL is no text. Most name a game's move, and need
/// not be looked at byte by byte.
std::optional<MoveType> type_in(std::string_view url) {
  if (url.starts_with(kUsualPrefix)) {
    MoveType type(url.substr(kUsualPrefix.size()));
    if (type.known()) return type;
  }
  if (!base::is_utf8(url)) return std::nullopt;
  return MoveType(url.substr(url.rfind('/') + 1));  // npos + 1 is 0
}

}  // namespace

Act act_of(std::string_view type) {
  if (type == play::v1::Resign::descriptor()->full_name()) return Act::kResign;
  if (type == play::v1::Undo::descriptor()->full_name()) return Act::kUndo;
  return Act::kMove;
}

std::optional<Move> read_usual_move(std::string_view frame) {
  using Any = google::protobuf::Any;
  base::WireReader outer(frame);
  const auto content = outer.bytes(play::v1::ClientFrame::kMoveFieldNumber);
  if (!content || !outer.done()) return std::nullopt;
  base::WireReader move(*content);
  const auto move_id = move.bytes(play::v1::Move::kMoveIdFieldNumber).value_or("");
  const auto at_version = move.number(play::v1::Move::kAtVersionFieldNumber);
  base::WireReader body(move.bytes(play::v1::Move::kBodyFieldNumber).value_or(""));
  const auto type_url = body.bytes(Any::kTypeUrlFieldNumber).value_or("");
  const auto value = body.bytes(Any::kValueFieldNumber).value_or("");
  if (!body.done() || !move.done() || !base::is_utf8(move_id)) return std::nullopt;
  auto type = type_in(type_url);
  if (!type) return std::nullopt;
  std::optional<Move> out(std::in_place);
  out->move_id = move_id;
  if (at_version) out->at_version = Version{*at_version};
  if (!type->known()) out->act = act_of(type->name());
  out->type = std::move(*type);
  out->body = value;
  return out;
}

}  // namespace tesela::codec
