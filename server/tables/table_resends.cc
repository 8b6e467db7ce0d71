// Moves that come to a Table again: they were played, and are answered with what they became.
#include <algorithm>
#include <utility>
#include <variant>

#include "server/base/limits.h"
#include "server/codec/record.h"
#include "server/tables/table.h"

namespace tesela::tables {

using boost::asio::awaitable;
using codec::Reason;

namespace {

/// Whether the event is the player's move of this id.
bool is_move(const codec::Event& event, Seat seat, std::string_view move_id) {
  if (const auto* moved = std::get_if<codec::Moved>(&event)) {
    return moved->strategy.empty() && moved->seat == seat && moved->move_id == move_id;
  }
  if (const auto* resigned = std::get_if<codec::Resigned>(&event)) {
    return resigned->seat == seat && resigned->move_id == move_id;
  }
  const auto* undone = std::get_if<codec::Undone>(&event);
  return undone != nullptr && undone->move_id == move_id;
}

}  // namespace

codec::FramePtr Table::ReadBack::find(Version version) const {
  const std::uint64_t at = version.value - first.value;
  return version < first || at >= frames.size() ? nullptr : frames[at];
}

std::vector<Version> Table::alike(const MoveCommand& command) const {
  // A bot never sends a move again, and its ids may be a player's too.
  if (!command.seat || !command.strategy.empty()) return {};
  return recent_moves_.find(*command.seat, command.move.move_id);
}

awaitable<bool> Table::answer_if_played(const MoveCommand& command, std::vector<Version> versions) {
  if (versions.size() > limits::kMoveLookupsMax) {
    refuse_move(command, Reason::kMalformed,
                "This move_id cannot be told from those of your earlier moves; choose another.");
    co_return true;
  }
  for (const Version version : versions) {
    const auto page = co_await log_.read(row_.id, version, 1);
    const auto record = page && !page->empty()
                            ? codec::decode_record(page->front().record)
                            : refuse(ErrorCode::kUnavailable, "It cannot be read.");
    if (!record) {
      refuse_move(command, Reason::kStoreUnavailable,
                  "Whether the move was played before cannot be read now; send it again.");
      co_return true;
    }
    if (!is_move(record->event, *command.seat, command.move.move_id)) continue;
    co_await repeat(command, version, record->at_ms);
    co_return true;
  }
  co_return false;
}

awaitable<void> Table::repeat(const MoveCommand& command, Version version, std::int64_t at_ms) {
  codec::FramePtr event = version == version_ ? last_event_ : read_back_.find(version);
  if (const Member* asker = find(command.member);
      !event && asker != nullptr && may_replay(*asker)) {
    co_await read_back(version);
    event = read_back_.find(version);
  }
  Member* member = find(command.member);
  if (member == nullptr) co_return;
  const codec::PlayedMove played{
      .version = version, .at_ms = at_ms, .seat = *command.seat, .move_id = command.move.move_id};
  send(*member, event ? codec::repeated_frame(*event) : codec::repeated_frame(played));
}

awaitable<void> Table::read_back(Version version) {
  const Version last{std::min(version.value + limits::kReadBackEventsMax - 1, version_.value)};
  auto replayed = co_await replay::replay(
      log_, row_.id, {.table = options_, .frames = {version, last}, .until = last});
  if (!replayed) co_return;
  std::size_t bytes = 0;
  const auto too_much = std::ranges::find_if(replayed->frames, [&](const codec::FramePtr& frame) {
    bytes += frame->bytes(codec::Protocol::kBinary).size();
    return bytes > limits::kOutboxBytesMax;
  });
  replayed->frames.erase(too_much, replayed->frames.end());
  read_back_ = {.first = version, .frames = std::move(replayed->frames)};
  start(forgets_, limits::kReadBackTime, [this] { read_back_ = {}; });
}

}  // namespace tesela::tables
