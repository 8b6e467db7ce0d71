#include "server/archive/event_coder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "engine/core/game.h"
#include "server/archive/models.h"
#include "server/archive/move_id_model.h"

namespace tesela::archive {
namespace {

std::unexpected<Error> damaged() {
  return refuse(ErrorCode::kCorrupt, "A packed log is damaged.");
}

/// The moves of a game, as the game's message is encoded.
class MoveModel {
 public:
  template <class Coder>
  void code(Coder& coder, std::string& move, Allowance& allowance) {
    const std::uint64_t length = lengths_.code(coder, move.size());
    if (!allowance.take(length)) return;
    move.resize(length);
    std::uint8_t before = 0;
    std::uint8_t step = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const auto byte = static_cast<std::uint8_t>(move[i]);
      if (i < kPlaces) {
        const auto place = static_cast<std::uint32_t>(i);
        const std::uint8_t last = i < last_.size() ? static_cast<std::uint8_t>(last_[i]) : 0;
        const std::uint32_t wide = place << 8U | before;
        move[i] = static_cast<char>(bytes_.code(coder, wide, wide << 8U | last, byte));
      } else {
        // A path goes on from cell to cell.
        constexpr std::uint32_t kWide = kPlaces << 8U;
        const auto difference = static_cast<std::uint8_t>(byte - before);
        step = bytes_.code(coder, kWide, kWide << 8U | step, difference);
        move[i] = static_cast<char>(before + step);
      }
      before = static_cast<std::uint8_t>(move[i]);
    }
    last_ = move;
  }

 private:
  // The fields of the games' moves are told apart by their places up to here.
  static constexpr std::size_t kPlaces = 5;

  NumberModel lengths_;
  ByteMixer bytes_;
  std::string last_;
};

/// Codes one event after the other, in either direction.
template <class Coder>
class EventModel {
 public:
  EventModel(Coder& coder, std::size_t bytes_max) : coder_(coder), allowance_(bytes_max) {}

  /// `record` is what is written, or becomes what is read.
  void code_first(codec::Record& record, Digests digests) {
    std::string bytes;
    if constexpr (!Coder::kDecodes) {
      const auto digest = digests == Digests::kCoded ? record.digest : 0;
      bytes = codec::encode({.at_ms = record.at_ms, .event = record.event, .digest = digest});
    }
    first_.code(coder_, bytes, allowance_);
    if constexpr (Coder::kDecodes) {
      auto decoded = codec::decode_record(bytes);
      if (!decoded) return allowance_.fail();
      record = std::move(*decoded);
    }
    at_ms_ = static_cast<std::uint64_t>(record.at_ms);
  }

  void code_next(codec::Record& record, Version version, Digests digests) {
    code_kind(record);
    std::visit([&](auto& event) { code(event, record.at_ms, version); }, record.event);
    if (digests == Digests::kCoded) record.digest = code_random(coder_, record.digest, 64);
  }

  [[nodiscard]] bool failed() const { return allowance_.exceeded(); }

 private:
  enum class Kind : std::uint8_t { kMoved, kTimedOut, kResigned, kUndone };

  static Kind kind_of(const codec::Event& event) {
    if (const auto* moved = std::get_if<codec::Moved>(&event)) {
      return moved->timed_out ? Kind::kTimedOut : Kind::kMoved;
    }
    return std::holds_alternative<codec::Undone>(event) ? Kind::kUndone : Kind::kResigned;
  }

  void code_kind(codec::Record& record) {
    SymbolModel<2>& model = kinds_.at(static_cast<std::size_t>(kind_));
    const auto given = static_cast<std::uint8_t>(kind_of(record.event));
    kind_ = static_cast<Kind>(model.code(coder_, given));
    if constexpr (Coder::kDecodes) {
      switch (kind_) {
        case Kind::kMoved:
        case Kind::kTimedOut:
          record.event = codec::Moved{};
          std::get<codec::Moved>(record.event).timed_out = kind_ == Kind::kTimedOut;
          return;
        case Kind::kResigned:
          record.event = codec::Resigned{};
          return;
        case Kind::kUndone:
          record.event = codec::Undone{};
      }
    }
  }

  void code(codec::Created& /*never*/, std::int64_t& /*at_ms*/, Version /*version*/) {}

  void code(codec::Moved& moved, std::int64_t& at_ms, Version /*version*/) {
    code_seat(moved.seat);
    code_strategy(moved.seat, moved.strategy);
    const std::uint64_t passed = code_time(moved.seat, !moved.strategy.empty(), at_ms);
    code_spent(moved.seat, passed, moved.spent_ms);
    ids_.code(coder_, moved.seat, moved.move_id, allowance_);
    moves_.code(coder_, moved.move, allowance_);
  }

  void code(codec::Resigned& resigned, std::int64_t& at_ms, Version /*version*/) {
    code_seat(resigned.seat);
    code_time(resigned.seat, false, at_ms);
    ids_.code(coder_, resigned.seat, resigned.move_id, allowance_);
  }

  void code(codec::Undone& undone, std::int64_t& at_ms, Version version) {
    code_time(Seat{0}, false, at_ms);
    ids_.code(coder_, Seat{0}, undone.move_id, allowance_);
    undone.to = Version{version.value - undone_.code(coder_, version.value - undone.to.value)};
  }

  void code_seat(Seat& seat) {
    static_assert(kSeatsMax == 4);
    seat = Seat{seats_.at(seat_.value).code(coder_, seat.value)};
    seat_ = seat;
  }

  /// By the place of its name among those before, from 1; 0: none; one more: a new name follows.
  void code_strategy(Seat seat, std::string& strategy) {
    std::uint64_t place = 0;
    if (!Coder::kDecodes && !strategy.empty()) {
      const auto found = std::ranges::find(strategies_, strategy);
      place = 1 + static_cast<std::uint64_t>(found - strategies_.begin());
    }
    place = strategy_places_.at(seat.value).code(coder_, place);
    if (place > strategies_.size() + 1) return allowance_.fail();
    if (place == 0) return;
    if (place == strategies_.size() + 1) {
      strategy_texts_.code(coder_, strategy, allowance_);
      strategies_.push_back(strategy);
    } else if (allowance_.take(strategies_[place - 1].size())) {
      strategy = strategies_[place - 1];
    }
  }

  /// Returns the time since the event before.
  std::uint64_t code_time(Seat seat, bool by_strategy, std::int64_t& at_ms) {
    NumberModel& model = times_.at(seat.value).at(by_strategy ? 1 : 0);
    const std::uint64_t difference = static_cast<std::uint64_t>(at_ms) - at_ms_;
    const std::uint64_t passed = unfolded(model.code(coder_, folded(difference)));
    at_ms_ += passed;
    at_ms = static_cast<std::int64_t>(at_ms_);
    return passed;
  }

  /// A clock is charged what has passed, or a little less.
  void code_spent(Seat seat, std::uint64_t passed, std::int64_t& spent_ms) {
    if (!code_bit(coder_, charged_.at(seat.value), spent_ms != 0)) return;
    const std::uint64_t difference = static_cast<std::uint64_t>(spent_ms) - passed;
    spent_ms =
        static_cast<std::int64_t>(passed + unfolded(spent_.code(coder_, folded(difference))));
    // No record of a log has a negative time.
    if (spent_ms < 0) allowance_.fail();
  }

  Coder& coder_;
  Allowance allowance_;
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

/// Records whose bytes are predicted by the byte before, in the order of the log.
class BytesModel {
 public:
  template <class Coder>
  void code(Coder& coder, std::string& record, Allowance& allowance) {
    const std::uint64_t length = lengths_.code(coder, record.size());
    if (!allowance.take(length)) return;
    record.resize(length);
    std::uint8_t before = 0;
    for (char& byte : record) {
      before = bytes_->at(before).code(coder, static_cast<std::uint8_t>(byte));
      byte = static_cast<char>(before);
    }
  }

 private:
  using Bytes = std::array<SymbolModel<8>, 256>;

  NumberModel lengths_;
  std::unique_ptr<Bytes> bytes_ = std::make_unique<Bytes>();
};

}  // namespace

std::string encode_events(std::span<const codec::Record> records, Digests digests) {
  RangeEncoder coder;
  EventModel model(coder, SIZE_MAX);
  codec::Record record = records.front();
  model.code_first(record, digests);
  for (std::size_t i = 1; i < records.size(); ++i) {
    record = records[i];
    model.code_next(record, Version{i + 1}, digests);
  }
  return coder.finish();
}

Expected<std::vector<codec::Record>> decode_events(std::string_view bytes, std::size_t count,
                                                   Digests digests, std::size_t bytes_max) {
  RangeDecoder coder(bytes);
  EventModel model(coder, bytes_max);
  std::vector<codec::Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    codec::Record& record = records.emplace_back();
    if (i == 0) {
      model.code_first(record, digests);
    } else {
      model.code_next(record, Version{i + 1}, digests);
    }
    if (model.failed() || coder.overrun()) return damaged();
  }
  if (!coder.at_end()) return damaged();
  return records;
}

std::string encode_bytes(const RecordList& records) {
  RangeEncoder coder;
  BytesModel model;
  Allowance allowance(SIZE_MAX);
  std::string record;
  for (std::size_t i = 0; i < records.size(); ++i) {
    record = records[i];
    model.code(coder, record, allowance);
  }
  return coder.finish();
}

Expected<RecordList> decode_bytes(std::string_view bytes, std::size_t count,
                                  std::size_t bytes_max) {
  RangeDecoder coder(bytes);
  BytesModel model;
  Allowance allowance(bytes_max);
  RecordList records;
  std::string record;
  for (std::size_t i = 0; i < count; ++i) {
    model.code(coder, record, allowance);
    if (allowance.exceeded() || coder.overrun()) return damaged();
    records.add(record);
  }
  if (!coder.at_end()) return damaged();
  return records;
}

}  // namespace tesela::archive
