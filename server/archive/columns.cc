#include "server/archive/columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/core/game.h"
#include "server/base/store_limits.h"

namespace tesela::archive {
namespace {

using log::v1::PackedEvents;

static_assert(kSeatsMax == 4);
enum Kind : std::uint32_t { kMoved, kTimedOut, kResigned, kUndone, kKindMask = 3 };
constexpr unsigned kSeatShift = 2;
constexpr std::uint32_t kNewId = 1U << 4U;
constexpr std::uint32_t kNewStrategy = 1U << 5U;
constexpr std::uint32_t kCharged = 1U << 6U;
constexpr std::uint32_t kClaimed = 1U << 7U;
constexpr std::uint32_t kHeadEnd = 1U << 8U;

/// Where the number at the end of an id begins, of which the same digits are made again. The end of
/// the id if there is none.
std::size_t number_begin(std::string_view id) {
  // Every number of so many digits fits.
  constexpr std::size_t kDigitsMax = 18;
  std::size_t begin = id.size();
  while (begin > 0 && id.size() - begin < kDigitsMax && id[begin - 1] >= '0' &&
         id[begin - 1] <= '9') {
    --begin;
  }
  while (begin + 1 < id.size() && id[begin] == '0') ++begin;
  return begin;
}

/// What the events of a seat have in common with the one before.
struct SeatState {
  std::string prefix{};    // of the last id, up to its number
  std::uint64_t number{};  // of the last id
  bool counts{};           // whether the last id has a number
  std::string strategy{};

  void took(const std::string& id) {
    const std::size_t begin = number_begin(id);
    counts = begin < id.size();
    prefix = id.substr(0, begin);
    number = 0;
    std::from_chars(id.data() + begin, id.data() + id.size(), number);
  }
};

class Writer {
 public:
  /// At columns with their first time.
  explicit Writer(PackedEvents& columns)
      : columns_(columns), at_ms_(static_cast<std::uint64_t>(columns.at_ms())) {}

  void add(const codec::Record& record, Version version) {
    head_ = 0;
    // Times may be any: their differences wrap.
    passed_ = static_cast<std::uint64_t>(record.at_ms) - at_ms_;
    at_ms_ += passed_;
    columns_.add_passed_ms(static_cast<std::int64_t>(passed_));
    version_ = version;
    std::visit([this](const auto& event) { write(event); }, record.event);
    columns_.add_heads(head_);
  }

  void finish() {
    std::size_t longest = 0;
    for (const std::string_view move : moves_) longest = std::max(longest, move.size());
    for (std::size_t place = 0; place < longest; ++place) {
      for (const std::string_view move : moves_) {
        if (place < move.size()) *columns_.mutable_moves() += move[place];
      }
    }
  }

 private:
  void write(const codec::Created& /*elsewhere*/) {}

  void write(const codec::Moved& moved) {
    head_ |= moved.timed_out ? kTimedOut : kMoved;
    SeatState& state = seat(moved.seat, moved.move_id);
    if (moved.strategy != state.strategy) {
      head_ |= kNewStrategy;
      columns_.add_strategies(moved.strategy);
      state.strategy = moved.strategy;
    }
    if (moved.spent_ms != 0) {
      head_ |= kCharged;
      const auto spent = static_cast<std::uint64_t>(moved.spent_ms);
      columns_.add_spent_ms(static_cast<std::int64_t>(spent - passed_));
    }
    columns_.add_move_lengths(static_cast<std::uint32_t>(moved.move.size()));
    moves_.push_back(moved.move);
  }

  void write(const codec::Resigned& resigned) {
    head_ |= kResigned;
    seat(resigned.seat, resigned.move_id);
    if (resigned.claimed_by) {
      head_ |= kClaimed;
      columns_.add_claimed_by(resigned.claimed_by->value);
    }
  }

  void write(const codec::Undone& undone) {
    head_ |= kUndone;
    seat(Seat{0}, undone.move_id);
    columns_.add_back(version_.value - undone.to.value);
  }

  SeatState& seat(Seat seat, const std::string& id) {
    head_ |= static_cast<std::uint32_t>(seat.value) << kSeatShift;
    SeatState& state = seats_.at(seat.value);
    const SeatState before = state;
    state.took(id);
    if (before.counts && state.counts && before.prefix == state.prefix) {
      columns_.add_id_steps(static_cast<std::int64_t>(state.number - before.number - 1));
    } else {
      head_ |= kNewId;
      columns_.add_ids(id);
    }
    return state;
  }

  PackedEvents& columns_;
  std::uint64_t at_ms_;
  std::uint64_t passed_{};
  Version version_{};
  std::uint32_t head_{};
  std::array<SeatState, kSeatsMax> seats_;
  std::vector<std::string_view> moves_;
};

/// The elements of a column, one after the other.
template <class Values>
class Column {
 public:
  explicit Column(const Values& values) : values_(values) {}

  /// Null at the end.
  const typename Values::value_type* next() {
    return at_ < values_.size() ? &values_.Get(at_++) : nullptr;
  }
  [[nodiscard]] bool at_end() const { return at_ == values_.size(); }

 private:
  const Values& values_;
  int at_{0};
};

class Reader {
 public:
  explicit Reader(const PackedEvents& columns)
      : columns_(columns), at_ms_(static_cast<std::uint64_t>(columns.at_ms())) {}

  /// Empty at a value that a Writer does not write.
  std::optional<codec::Record> next(std::uint32_t head, Version version) {
    const auto* passed = passed_ms_.next();
    if (passed == nullptr || head >= kHeadEnd) return std::nullopt;
    passed_ = static_cast<std::uint64_t>(*passed);
    at_ms_ += passed_;
    auto event = event_of(head, version);
    if (!event) return std::nullopt;
    return codec::Record{.at_ms = static_cast<std::int64_t>(at_ms_), .event = std::move(*event)};
  }

  /// Puts the moves into the records. Whether all columns were read to their ends.
  bool finish(std::vector<codec::Record>& records) {
    std::vector<std::string*> moves;  // that have a byte at the place
    for (codec::Record& record : records) {
      if (auto* moved = std::get_if<codec::Moved>(&record.event)) moves.push_back(&moved->move);
    }
    auto byte = columns_.moves().begin();
    for (std::size_t place = 0; !moves.empty(); ++place) {
      std::erase_if(moves, [place](const std::string* move) { return move->size() <= place; });
      for (std::string* move : moves) (*move)[place] = *byte++;
    }
    return byte == columns_.moves().end() && passed_ms_.at_end() && id_steps_.at_end() &&
           ids_.at_end() && strategies_.at_end() && spent_ms_.at_end() && lengths_.at_end() &&
           claimed_by_.at_end() && back_.at_end();
  }

 private:
  std::optional<codec::Event> event_of(std::uint32_t head, Version version) {
    const Seat seat{static_cast<std::uint8_t>(head >> kSeatShift & 3U)};
    SeatState& state = seats_.at(seat.value);
    auto id = id_of(state, (head & kNewId) != 0);
    if (!id) return std::nullopt;
    switch (head & kKindMask) {
      case kMoved:
      case kTimedOut:
        return move_of(head, seat, state, std::move(*id));
      case kResigned: {
        codec::Resigned resigned{.seat = seat, .move_id = std::move(*id)};
        if ((head & kClaimed) == 0) return resigned;
        const auto* claimed_by = claimed_by_.next();
        if (claimed_by == nullptr || *claimed_by >= kSeatsMax) return std::nullopt;
        resigned.claimed_by = Seat{static_cast<std::uint8_t>(*claimed_by)};
        return resigned;
      }
      default: {
        const auto* back = back_.next();
        if (back == nullptr) return std::nullopt;
        return codec::Undone{.move_id = std::move(*id), .to = Version{version.value - *back}};
      }
    }
  }

  std::optional<codec::Event> move_of(std::uint32_t head, Seat seat, SeatState& state,
                                      std::string id) {
    codec::Moved moved{.seat = seat,
                       .move_id = std::move(id),
                       .move = {},
                       .timed_out = (head & kKindMask) == kTimedOut};
    if ((head & kNewStrategy) != 0) {
      const auto* strategy = strategies_.next();
      if (strategy == nullptr) return std::nullopt;
      state.strategy = *strategy;
    }
    if (!allows(state.strategy)) return std::nullopt;
    moved.strategy = state.strategy;
    if ((head & kCharged) != 0) {
      const auto* spent = spent_ms_.next();
      if (spent == nullptr) return std::nullopt;
      moved.spent_ms = static_cast<std::int64_t>(passed_ + static_cast<std::uint64_t>(*spent));
      // No record of a log has a negative time.
      if (moved.spent_ms < 0) return std::nullopt;
    }
    const auto* length = lengths_.next();
    if (length == nullptr || *length > columns_.moves().size() - moves_bytes_) return std::nullopt;
    moves_bytes_ += *length;
    moved.move.resize(*length);
    return moved;
  }

  std::optional<std::string> id_of(SeatState& state, bool is_new) {
    std::string id;
    if (is_new) {
      const auto* given = ids_.next();
      if (given == nullptr) return std::nullopt;
      id = *given;
      state.took(id);
      return id;
    }
    const auto* step = id_steps_.next();
    if (step == nullptr || !state.counts) return std::nullopt;
    state.number += static_cast<std::uint64_t>(*step) + 1;
    id = state.prefix + std::to_string(state.number);
    if (!allows(id)) return std::nullopt;
    return id;
  }

  /// Whether so much text may follow: what is repeated takes no bytes of the columns.
  bool allows(const std::string& text) {
    texts_bytes_ += text.size();
    return texts_bytes_ <= limits::kArchiveBytesMax;
  }

  template <class T>
  using Numbers = Column<google::protobuf::RepeatedField<T>>;
  using Texts = Column<google::protobuf::RepeatedPtrField<std::string>>;

  const PackedEvents& columns_;
  std::uint64_t at_ms_;
  std::uint64_t passed_{};
  std::size_t moves_bytes_{};
  std::size_t texts_bytes_{};
  std::array<SeatState, kSeatsMax> seats_;
  Numbers<std::int64_t> passed_ms_{columns_.passed_ms()};
  Numbers<std::int64_t> id_steps_{columns_.id_steps()};
  Texts ids_{columns_.ids()};
  Texts strategies_{columns_.strategies()};
  Numbers<std::int64_t> spent_ms_{columns_.spent_ms()};
  Numbers<std::uint32_t> lengths_{columns_.move_lengths()};
  Numbers<std::uint32_t> claimed_by_{columns_.claimed_by()};
  Numbers<std::uint64_t> back_{columns_.back()};
};

}  // namespace

PackedEvents to_columns(std::span<const codec::Record> records, Version first) {
  PackedEvents columns;
  if (records.empty()) return columns;
  columns.set_at_ms(records.front().at_ms);
  if (first == Version{1}) {
    codec::Record created = records.front();
    created.digest = 0;
    columns.set_created(codec::encode(created));
    records = records.subspan(1);
    first = next(first);
  }
  Writer writer(columns);
  for (const codec::Record& record : records) {
    writer.add(record, first);
    first = next(first);
  }
  writer.finish();
  return columns;
}

std::optional<std::vector<codec::Record>> from_columns(const PackedEvents& columns, Version first,
                                                       std::size_t count) {
  const auto heads = static_cast<std::size_t>(columns.heads_size());
  if (count == 0 || heads + (first == Version{1} ? 1 : 0) != count) return std::nullopt;
  std::vector<codec::Record> records;
  records.reserve(count);
  if (first == Version{1}) {
    auto created = codec::decode_record(columns.created());
    if (!created || !std::holds_alternative<codec::Created>(created->event)) return std::nullopt;
    records.push_back(std::move(*created));
    first = next(first);
  }
  Reader reader(columns);
  for (const std::uint32_t head : columns.heads()) {
    auto record = reader.next(head, first);
    if (!record) return std::nullopt;
    records.push_back(std::move(*record));
    first = next(first);
  }
  if (!reader.finish(records)) return std::nullopt;
  return records;
}

}  // namespace tesela::archive
