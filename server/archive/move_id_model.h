// The ids that clients give to their moves. Those that count cost a fraction of a bit, those of
// hexadecimal digits half of their length; all others are texts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "server/archive/models.h"

namespace tesela::archive {

/// Of one game, in the order of its events.
class MoveIdModel {
 public:
  /// Codes the id of an event of the seat.
  template <class Coder>
  void code(Coder& coder, Seat seat, std::string& id, Allowance& allowance);

 private:
  /// Every number of so many digits fits.
  static constexpr std::size_t kNumberDigitsMax = 18;

  enum class Form : std::uint8_t { kText, kCounted, kHex, kUuid };

  /// A text without digits at its end, and a number.
  struct Counted {
    std::string_view prefix;
    std::uint64_t number{};
  };
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

  /// Splits an id that ends with a number.
  static std::optional<Counted> counted(std::string_view id);
  /// The 32 digits of such an id, or of a UUID; otherwise empty.
  static std::optional<std::string> digits_of(std::string_view id, Form form);
  static Form form_of(std::string_view id);
  /// The id of 32 digits.
  static std::string with_dashes(std::string_view digits);

  template <class Coder>
  void code_counted(Coder& coder, SeatModel& seat, std::string& id, Allowance& allowance);
  template <class Coder>
  static void code_digits(Coder& coder, Form form, std::string& id);
  /// The place of a prefix in `prefixes_`, from 1; 0 when it is new.
  [[nodiscard]] std::size_t place_of(std::string_view prefix) const;

  std::array<SeatModel, kSeatsMax> seats_;
  std::vector<Prefix> prefixes_;
  std::unordered_map<std::string, std::size_t> places_;  // of prefixes, from 1
  NumberModel prefix_places_;
  NumberModel first_numbers_;
  TextModel prefix_texts_;
  TextModel texts_;
};

template <class Coder>
void MoveIdModel::code(Coder& coder, Seat seat, std::string& id, Allowance& allowance) {
  SeatModel& model = seats_.at(seat.value);
  const auto form = static_cast<Form>(model.forms.at(static_cast<std::size_t>(model.form))
                                          .code(coder, static_cast<std::uint8_t>(form_of(id))));
  model.form = form;
  switch (form) {
    case Form::kText:
      return texts_.code(coder, id, allowance);
    case Form::kCounted:
      return code_counted(coder, model, id, allowance);
    case Form::kHex:
    case Form::kUuid:
      if (allowance.take(form == Form::kHex ? 32 : 36)) code_digits(coder, form, id);
  }
}

template <class Coder>
void MoveIdModel::code_counted(Coder& coder, SeatModel& seat, std::string& id,
                               Allowance& allowance) {
  const Counted given = counted(id).value_or(Counted{});
  std::size_t place = Coder::kDecodes ? 0 : place_of(given.prefix);
  const bool same = code_bit(coder, seat.same_prefix, place != 0 && place == seat.prefix);
  place = same ? seat.prefix : prefix_places_.code(coder, place);
  // A place that no encoder writes.
  if (place > prefixes_.size() || (same && place == 0)) return static_cast<void>(allowance.fail());
  const bool fresh = place == 0;  // its text is taken from the allowance as it is coded
  std::uint64_t number = 0;
  if (fresh) {
    std::string prefix(given.prefix);
    prefix_texts_.code(coder, prefix, allowance);
    number = first_numbers_.code(coder, given.number);
    prefixes_.push_back({prefix, number});
    place = prefixes_.size();
    places_.emplace(std::move(prefix), place);
  } else {
    const std::uint64_t next = prefixes_[place - 1].number + 1;
    number = next + unfolded(seat.steps.code(coder, folded(given.number - next)));
  }
  Prefix& prefix = prefixes_[place - 1];
  prefix.number = number;
  seat.prefix = place;
  if constexpr (Coder::kDecodes) {
    const std::string digits = std::to_string(number);
    if (allowance.take(digits.size() + (fresh ? 0 : prefix.text.size()))) id = prefix.text + digits;
  }
}

template <class Coder>
void MoveIdModel::code_digits(Coder& coder, Form form, std::string& id) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits = digits_of(id, form).value_or(std::string(32, '0'));
  for (char& digit : digits) {
    digit = kDigits[code_random(coder, kDigits.find(digit), 4)];
  }
  if (Coder::kDecodes) id = form == Form::kHex ? digits : with_dashes(digits);
}

}  // namespace tesela::archive
