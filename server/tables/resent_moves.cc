#include "server/tables/resent_moves.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/codec/record.h"

namespace tesela::tables {

using boost::asio::awaitable;
using codec::Reason;

namespace {

/// Whether the event is the player's move with this id, or what the player's claim became.
bool is_move(const codec::Event& event, const MoveCommand& command) {
  const std::string& move_id = command.move.move_id;
  if (const auto* resigned = std::get_if<codec::Resigned>(&event)) {
    return resigned->seat == *command.seat && resigned->claimed_by == command.claimed_by &&
           resigned->move_id == move_id;
  }
  if (command.claimed_by) return false;
  if (const auto* moved = std::get_if<codec::Moved>(&event)) {
    return moved->strategy.empty() && moved->seat == *command.seat && moved->move_id == move_id;
  }
  const auto* undone = std::get_if<codec::Undone>(&event);
  return undone != nullptr && undone->move_id == move_id;
}

}  // namespace

std::vector<Version> ResentMoves::alike(const MoveCommand& command) const {
  // A bot never sends a move again, and its ids may equal those of players.
  if (!command.seat || !command.strategy.empty()) return {};
  return position_.recent_moves.find(*command.seat, command.move.move_id);
}

awaitable<bool> ResentMoves::answered(const MoveCommand& command) {
  const auto versions = alike(command);
  if (versions.size() > limits::kMoveLookupsMax) {
    members_.refuse(command.member, command.move.move_id,
                    {Reason::kMalformed,
                     "This move_id cannot be told from those of your earlier moves; choose "
                     "another."});
    co_return true;
  }
  for (const Version version : versions) {
    const auto page = co_await source_.log.read(position_.row.id, version, 1);
    if (!page) aside_.note(position_.row.id, page.error());
    const auto record = page && !page->empty()
                            ? codec::decode_record(page->front().record)
                            : refuse(ErrorCode::kUnavailable, "It cannot be read.");
    if (!record) {
      members_.refuse(command.member, command.move.move_id,
                      {Reason::kStoreUnavailable,
                       "Whether the move was played before cannot be read now; send it "
                       "again."});
      co_return true;
    }
    if (!is_move(record->event, command)) continue;
    const auto frame = co_await repeat(command, version, record->at_ms);
    if (Member* member = members_.find(command.member)) members_.send(*member, frame);
    co_return true;
  }
  co_return false;
}

awaitable<codec::FramePtr> ResentMoves::repeat(const MoveCommand& command, Version version,
                                               std::int64_t at_ms) {
  codec::FramePtr event = frames_.event(version);
  if (!event) event = find(version);
  if (const Member* asker = members_.find(command.member);
      !event && asker != nullptr && may_replay(*asker)) {
    co_await read_back(command.member, version);
    event = find(version);
  }
  if (event) co_return codec::repeated_frame(*event);
  const codec::PlayedMove played{
      .version = version, .at_ms = at_ms, .seat = *command.seat, .move_id = command.move.move_id};
  co_return codec::repeated_frame(played);
}

codec::FramePtr ResentMoves::find(Version version) const {
  const std::uint64_t at = version.value - first_.value;
  return version < first_ || at >= read_.size() ? nullptr : read_[at];
}

awaitable<void> ResentMoves::read_back(MemberId member, Version version) {
  const Version last{
      std::min(version.value + limits::kReadBackEventsMax - 1, position_.version.value)};
  const TableId table = position_.row.id;
  auto start = co_await replay::start_at(source_, table, Version{version.value - 1});
  const Member* asker = members_.find(member);
  if (!start || asker == nullptr) co_return;
  if (!members_.may_execute(*asker, start->events_until(last))) co_return;
  auto replayed = co_await replay::replay_aside(
      aside_, source_, table, std::move(*start),
      {.table = position_.options, .frames = {version, last}, .until = last});
  if (!replayed) co_return;
  std::size_t bytes = 0;
  const auto too_much = std::ranges::find_if(replayed->frames, [&](const codec::FramePtr& frame) {
    bytes += frame->bytes(codec::Protocol::kBinary).size();
    return bytes > limits::kOutboxBytesMax;
  });
  replayed->frames.erase(too_much, replayed->frames.end());
  first_ = version;
  read_ = std::move(replayed->frames);
  forgets_.start(host_, limits::kReadBackTime, [this] { read_ = {}; });
}

}  // namespace tesela::tables
