#include "server/upgrade/packed_log.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/game.h"
#include "server/archive/packed_log.h"
#include "server/base/store_limits.h"
#include "server/codec/record.h"
#include "server/execution/execution.h"
#include "server/upgrade/range_decoder.h"

namespace tesela::upgrade {
namespace {

/// Values of OldPackedLog::format.
constexpr std::int64_t kBytes = 1;
constexpr std::int64_t kFields = 2;
constexpr std::int64_t kExecuted = 3;  // without digests

std::unexpected<Error> damaged() {
  return refuse(ErrorCode::kCorrupt, "a packed log is damaged");
}

/// The ids that clients gave to their moves.
class MoveIdModel {
 public:
  std::string read(RangeDecoder& coder, Seat seat) {
    SeatModel& model = seats_.at(seat.value);
    auto& forms = model.forms.at(static_cast<std::size_t>(model.form));
    model.form = static_cast<Form>(forms.read(coder));
    if (model.form == Form::kText) return texts_.read(coder);
    if (model.form == Form::kCounted) return read_counted(coder, model);
    const bool dashed = model.form == Form::kUuid;
    return coder.take(dashed ? 36 : 32) ? read_digits(coder, dashed) : std::string();
  }

 private:
  enum class Form : std::uint8_t { kText, kCounted, kHex, kUuid };

  struct Prefix {
    std::string text;
    std::uint64_t number;  // of the last id with it
  };
  struct SeatModel {
    Form form{Form::kText};
    std::size_t prefix{0};  // of the last counted id; 0: none
    std::array<SymbolModel<2>, 4> forms;
    BitModel same_prefix;
    NumberModel steps;
  };

  std::string read_counted(RangeDecoder& coder, SeatModel& seat) {
    const bool same = coder.bit(seat.same_prefix);
    std::size_t place = same ? seat.prefix : prefix_places_.read(coder);
    const bool fresh = place == 0;
    if (place > prefixes_.size() || (same && fresh)) {
      coder.fail();
      return {};
    }
    if (fresh) {
      std::string text = prefix_texts_.read(coder);
      prefixes_.push_back({std::move(text), first_numbers_.read(coder)});
      place = prefixes_.size();
    } else {
      prefixes_[place - 1].number += 1 + seat.steps.read_difference(coder);
    }
    seat.prefix = place;
    const Prefix& prefix = prefixes_[place - 1];
    const std::string digits = std::to_string(prefix.number);
    if (!coder.take(digits.size() + (fresh ? 0 : prefix.text.size()))) return {};
    return prefix.text + digits;
  }

  static std::string read_digits(RangeDecoder& coder, bool dashed) {
    std::string id;
    for (int i = 0; i < 32; ++i) {
      if (dashed && (i == 8 || i == 12 || i == 16 || i == 20)) id += '-';
      id += "0123456789abcdef"[coder.random(4)];
    }
    return id;
  }

  std::array<SeatModel, kSeatsMax> seats_;
  std::vector<Prefix> prefixes_;
  NumberModel prefix_places_;
  NumberModel first_numbers_;
  TextModel prefix_texts_;
  TextModel texts_;
};

/// The moves of a game, as the game's message is encoded.
class MoveModel {
 public:
  std::string read(RangeDecoder& coder) {
    std::string move;
    const std::uint64_t length = lengths_.read(coder);
    if (!coder.take(length)) return move;
    std::uint8_t before = 0;
    std::uint8_t step = 0;
    for (std::size_t i = 0; i < length && !coder.failed(); ++i) {
      if (i < kPlaces) {
        const auto place = static_cast<std::uint32_t>(i);
        const std::uint8_t last = i < last_.size() ? static_cast<std::uint8_t>(last_[i]) : 0;
        const std::uint32_t wide = place << 8U | before;
        before = bytes_.read(coder, wide, wide << 8U | last);
      } else {
        constexpr std::uint32_t kWide = kPlaces << 8U;
        step = bytes_.read(coder, kWide, kWide << 8U | step);
        before = static_cast<std::uint8_t>(before + step);
      }
      move += static_cast<char>(before);
    }
    last_ = move;
    return move;
  }

 private:
  // The fields of the games' moves are told apart by their places up to here.
  static constexpr std::size_t kPlaces = 5;

  NumberModel lengths_;
  ByteMixer bytes_;
  std::string last_;
};

class EventModel {
 public:
  EventModel(RangeDecoder& coder, bool digests) : coder_(coder), digests_(digests) {}

  codec::Record read_first() {
    auto record = codec::decode_record(first_.read(coder_));
    if (!record) {
      coder_.fail();
      return {};
    }
    at_ms_ = static_cast<std::uint64_t>(record->at_ms);
    return *std::move(record);
  }

  codec::Record read_next(Version version) {
    kind_ = static_cast<Kind>(kinds_.at(static_cast<std::size_t>(kind_)).read(coder_));
    codec::Record record;
    if (kind_ == Kind::kUndone) {
      record.event = read_undone(version);
    } else if (kind_ == Kind::kResigned) {
      record.event = read_resigned();
    } else {
      record.event = read_moved();
    }
    record.at_ms = static_cast<std::int64_t>(at_ms_);
    if (digests_) record.digest = coder_.random(64);
    return record;
  }

 private:
  enum class Kind : std::uint8_t { kMoved, kTimedOut, kResigned, kUndone };

  codec::Moved read_moved() {
    codec::Moved moved;
    moved.timed_out = kind_ == Kind::kTimedOut;
    moved.seat = read_seat();
    moved.strategy = read_strategy(moved.seat);
    const std::uint64_t passed = pass_time(moved.seat, !moved.strategy.empty());
    if (coder_.bit(charged_.at(moved.seat.value))) {
      moved.spent_ms = static_cast<std::int64_t>(passed + spent_.read_difference(coder_));
      if (moved.spent_ms < 0) coder_.fail();
    }
    moved.move_id = ids_.read(coder_, moved.seat);
    moved.move = moves_.read(coder_);
    return moved;
  }

  codec::Resigned read_resigned() {
    codec::Resigned resigned;
    resigned.seat = read_seat();
    pass_time(resigned.seat, false);
    resigned.move_id = ids_.read(coder_, resigned.seat);
    return resigned;
  }

  codec::Undone read_undone(Version version) {
    codec::Undone undone;
    pass_time(Seat{0}, false);
    undone.move_id = ids_.read(coder_, Seat{0});
    undone.to = Version{version.value - undone_.read(coder_)};
    return undone;
  }

  Seat read_seat() {
    static_assert(kSeatsMax == 4);
    return seat_ = Seat{seats_.at(seat_.value).read(coder_)};
  }

  /// By the place of its name among those before, from 1; 0: none; one more: a new name follows.
  std::string read_strategy(Seat seat) {
    const std::uint64_t place = strategy_places_.at(seat.value).read(coder_);
    if (place == 0) return {};
    if (place == strategies_.size() + 1) strategies_.push_back(strategy_texts_.read(coder_));
    if (place > strategies_.size() || !coder_.take(strategies_[place - 1].size())) {
      coder_.fail();
      return {};
    }
    return strategies_[place - 1];
  }

  /// Returns the time since the event before.
  std::uint64_t pass_time(Seat seat, bool by_strategy) {
    const std::uint64_t passed =
        times_.at(seat.value).at(by_strategy ? 1 : 0).read_difference(coder_);
    at_ms_ += passed;
    return passed;
  }

  RangeDecoder& coder_;
  const bool digests_;
  std::uint64_t at_ms_{0};
  Kind kind_{Kind::kMoved};
  Seat seat_{};
  std::vector<std::string> strategies_;
  TextModel first_;
  std::array<SymbolModel<2>, 4> kinds_;
  std::array<SymbolModel<2>, kSeatsMax> seats_;
  std::array<NumberModel, kSeatsMax> strategy_places_;
  TextModel strategy_texts_;
  std::array<std::array<NumberModel, 2>, kSeatsMax> times_;
  std::array<BitModel, kSeatsMax> charged_;
  NumberModel spent_;
  NumberModel undone_;
  MoveIdModel ids_;
  MoveModel moves_;
};

Expected<archive::RecordList> decode_bytes(const OldPackedLog& old) {
  RangeDecoder coder(old.data, limits::kArchiveBytesMax);
  NumberModel lengths;
  std::vector<SymbolModel<8>> bytes(256);  // by the byte before
  archive::RecordList records;
  for (std::int64_t i = 0; i < old.events && !coder.failed(); ++i) {
    std::string record;
    const std::uint64_t length = lengths.read(coder);
    if (!coder.take(length)) break;
    std::uint8_t before = 0;
    while (record.size() < length && !coder.failed()) {
      before = bytes[before].read(coder);
      record += static_cast<char>(before);
    }
    records.add(record);
  }
  if (coder.failed() || !coder.at_end()) return damaged();
  return records;
}

Expected<std::vector<codec::Record>> decode_fields(const OldPackedLog& old) {
  // The text of a new strategy is taken twice.
  RangeDecoder coder(old.data, 2 * limits::kArchiveBytesMax);
  EventModel model(coder, old.format == kFields);
  std::vector<codec::Record> records{model.read_first()};
  for (std::int64_t i = 1; i < old.events && !coder.failed(); ++i) {
    records.push_back(model.read_next(Version{static_cast<std::uint64_t>(i) + 1}));
  }
  if (coder.failed() || !coder.at_end()) return damaged();
  return records;
}

Expected<archive::RecordList> records_of_fields(const OldPackedLog& old) {
  auto values = decode_fields(old);
  if (!values) return std::unexpected(std::move(values.error()));
  if (old.format == kExecuted) {
    const auto digests = execution::digests_of(*values);
    if (!digests) return std::unexpected(digests.error());
    for (std::size_t i = 0; i < values->size(); ++i) (*values)[i].digest = (*digests)[i];
  }
  archive::RecordList records;
  for (const codec::Record& value : *values) records.add(codec::encode(value));
  return records;
}

}  // namespace

Expected<archive::PackedLog> repack(const OldPackedLog& old) {
  if (old.format < kBytes || old.format > kExecuted || old.events < 1 ||
      old.events > std::int64_t{limits::kArchiveEventsMax}) {
    return damaged();
  }
  const auto records = old.format == kBytes ? decode_bytes(old) : records_of_fields(old);
  if (!records) return std::unexpected(records.error());
  const base::Sha256 hash = records->hash();
  if (old.hash != std::string(hash.begin(), hash.begin() + archive::PackedLog::kHashBytes)) {
    return damaged();
  }
  return archive::pack(*records);
}

}  // namespace tesela::upgrade
