#include "server/replay/snapshot.h"

#include <array>
#include <cstddef>
#include <utility>

#include "engine/core/game.h"
#include "server/base/bytes.h"

namespace tesela::replay {
namespace {

// Another layout of the bytes, or another meaning of Match::save, has another number.
constexpr std::uint8_t kPositionFormat = 1;
constexpr std::uint8_t kMarksFormat = 1;
constexpr std::size_t kHashBytes = 8;

std::string with_hash(base::ByteWriter& out) {
  out.u64(base::fnv_of(out.bytes()));
  return out.take();
}

/// The bytes between the format and the hash.
Expected<std::string_view> inside(std::string_view bytes, std::uint8_t format) {
  if (bytes.size() < 1 + kHashBytes) return refuse(ErrorCode::kCorrupt, "it is cut off.");
  const auto found = static_cast<std::uint8_t>(bytes.front());
  if (found != format) {
    return refuse(ErrorCode::kUnavailable, "it has the format " + std::to_string(found) +
                                               ", and this server knows " + std::to_string(format) +
                                               ".");
  }
  const std::string_view hashed = bytes.substr(0, bytes.size() - kHashBytes);
  base::ByteReader hash(bytes.substr(hashed.size()));
  if (hash.u64() != base::fnv_of(hashed)) return refuse(ErrorCode::kCorrupt, "it was changed.");
  return hashed.substr(1);
}

}  // namespace

std::string encode(const Snapshot& snapshot) {
  base::ByteWriter out;
  out.byte(kPositionFormat);
  out.u64(snapshot.version.value);
  out.i64(snapshot.at_ms);
  out.u64(snapshot.digest);
  out.i64(snapshot.clock.turn_ms);
  for (const std::int64_t left_ms : snapshot.clock.left_ms) out.i64(left_ms);
  for (const std::uint32_t timeouts : snapshot.clock.timeouts) out.u32(timeouts);
  for (const auto& [by_player, by_strategy] : snapshot.shares.shares()) {
    out.u32(by_player);
    out.u32(by_strategy);
  }
  out.u64(snapshot.moves_alone);
  out.text(snapshot.match);
  return with_hash(out);
}

Expected<Snapshot> decode_snapshot(std::string_view bytes) {
  const auto body = inside(bytes, kPositionFormat);
  if (!body) return std::unexpected(body.error());
  base::ByteReader in(*body);
  Snapshot snapshot{.version = Version{in.u64()}, .at_ms = in.i64()};
  snapshot.digest = in.u64();
  snapshot.clock.turn_ms = in.i64();
  for (std::int64_t& left_ms : snapshot.clock.left_ms) left_ms = in.i64();
  for (std::uint32_t& timeouts : snapshot.clock.timeouts) timeouts = in.u32();
  std::array<MoveShares::Share, kSeatsMax> shares{};
  for (auto& [by_player, by_strategy] : shares) {
    by_player = in.u32();
    by_strategy = in.u32();
  }
  snapshot.shares = MoveShares(shares);
  snapshot.moves_alone = in.u64();
  snapshot.match = in.text(in.left());
  if (!in.whole()) return refuse(ErrorCode::kCorrupt, "it is cut off.");
  return snapshot;
}

std::string encode_marks(Version first, std::span<const std::uint32_t> marks) {
  base::ByteWriter out;
  out.byte(kMarksFormat);
  out.u64(first.value);
  for (const std::uint32_t mark : marks) out.u32(mark);
  return with_hash(out);
}

Expected<SnapshotMarks> decode_marks(std::string_view bytes) {
  const auto body = inside(bytes, kMarksFormat);
  if (!body) return std::unexpected(body.error());
  base::ByteReader in(*body);
  SnapshotMarks marks{.first = Version{in.u64()}, .marks = {}};
  marks.marks.resize(in.left() / sizeof(std::uint32_t));
  for (std::uint32_t& mark : marks.marks) mark = in.u32();
  if (!in.whole() || marks.first < Version{2} || marks.marks.empty()) {
    return refuse(ErrorCode::kCorrupt, "it is cut off.");
  }
  return marks;
}

}  // namespace tesela::replay
