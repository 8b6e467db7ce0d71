#include "clients/cli/games/azul/azul_choice.h"

#include <algorithm>
#include <string_view>

namespace tesela::cli {
namespace {

using game::v1::AzulMove;
using game::v1::AzulOffer;

/// `index` moved by `step`, modulo `size`.
std::size_t turned(std::size_t index, int step, std::size_t size) {
  return (index + size + static_cast<std::size_t>(step + static_cast<int>(size))) % size;
}

std::uint32_t colour_of(Key key) {
  constexpr std::u32string_view kLetters = U"byrkw";
  const std::size_t index = kLetters.find(key);
  return index == std::u32string_view::npos ? 0 : static_cast<std::uint32_t>(index + 1);
}

bool is_digit(Key key) {
  return key >= U'1' && key <= U'9';
}

std::uint32_t number_of(Key digit) {
  return static_cast<std::uint32_t>(digit - U'1');
}

}  // namespace

bool same_source(const AzulOffer& a, const AzulOffer& b) {
  return a.has_factory() == b.has_factory() && a.factory() == b.factory();
}

void AzulChoice::offer(const game::v1::AzulView& view) {
  offers_.assign(view.offers().begin(), view.offers().end());
  offer_ = 0;
  target_ = 0;
  placing_ = false;
}

const AzulOffer* AzulChoice::current() const {
  return offers_.empty() ? nullptr : &offers_[offer_];
}

std::vector<std::uint32_t> AzulChoice::targets() const {
  const AzulOffer& offer = offers_[offer_];
  std::vector<std::uint32_t> targets(offer.lines().begin(), offer.lines().end());
  targets.push_back(kAzulFloor);
  return targets;
}

std::uint32_t AzulChoice::overflow() const {
  const AzulOffer& offer = offers_[offer_];
  if (target() == kAzulFloor) return offer.count();
  const int index = static_cast<int>(target_);
  return index < offer.overflow_size() ? offer.overflow(index) : 0;
}

std::optional<AzulMove> AzulChoice::press(Key key) {
  if (offers_.empty()) return std::nullopt;
  const bool enter = key == key::kEnter || key == U' ';
  if (enter && placing_) return move();
  if (enter) {
    take();
  } else if (placing_) {
    press_target(key);
  } else {
    press_source(key);
  }
  return std::nullopt;
}

/// The first suggestion is the lowest line that takes all tiles, or else loses the fewest.
void AzulChoice::take() {
  placing_ = true;
  const AzulOffer& offer = offers_[offer_];
  const auto least = std::min_element(offer.overflow().begin(), offer.overflow().end());
  target_ = static_cast<std::size_t>(least - offer.overflow().begin());
}

void AzulChoice::press_source(Key key) {
  switch (key) {
    case key::kLeft:
      offer_ = turned(offer_, -1, offers_.size());
      return;
    case key::kRight:
      offer_ = turned(offer_, 1, offers_.size());
      return;
    case key::kUp:
      next_source(-1);
      return;
    case key::kDown:
      next_source(1);
      return;
    case U'c':
      select_source(std::nullopt);
      return;
    default:
      break;
  }
  if (is_digit(key)) select_source(number_of(key));
  if (const std::uint32_t colour = colour_of(key); colour != 0) select_colour(colour);
}

void AzulChoice::press_target(Key key) {
  switch (key) {
    case key::kUp:
      target_ = turned(target_, -1, targets().size());
      return;
    case key::kDown:
      target_ = turned(target_, 1, targets().size());
      return;
    case key::kLeft:
    case key::kEscape:
    case key::kBackspace:
      put_back();
      return;
    case U'f':
      select_target(kAzulFloor);
      return;
    default:
      if (is_digit(key)) select_target(number_of(key));
  }
}

void AzulChoice::next_source(int step) {
  const std::size_t from = offer_;
  do {
    offer_ = turned(offer_, step, offers_.size());
  } while (offer_ != from && same_source(offers_[offer_], offers_[from]));
}

void AzulChoice::select_source(std::optional<std::uint32_t> factory) {
  const auto found = std::ranges::find_if(offers_, [factory](const AzulOffer& offer) {
    return factory ? offer.has_factory() && offer.factory() == *factory : offer.centre();
  });
  if (found != offers_.end()) offer_ = static_cast<std::size_t>(found - offers_.begin());
}

/// Prefers the source under the cursor, then the sources after it.
void AzulChoice::select_colour(std::uint32_t colour) {
  std::size_t index = offer_;
  while (index > 0 && same_source(offers_[index - 1], offers_[offer_])) --index;
  for (std::size_t step = 0; step < offers_.size(); ++step) {
    const std::size_t candidate = (index + step) % offers_.size();
    if (candidate != offer_ && static_cast<std::uint32_t>(offers_[candidate].colour()) == colour) {
      offer_ = candidate;
      return;
    }
  }
}

void AzulChoice::select_target(std::uint32_t target) {
  const auto all = targets();
  const auto found = std::ranges::find(all, target);
  if (found != all.end()) target_ = static_cast<std::size_t>(found - all.begin());
}

AzulMove AzulChoice::move() const {
  const AzulOffer& offer = offers_[offer_];
  AzulMove move;
  if (offer.has_factory()) {
    move.set_factory(offer.factory());
  } else {
    move.set_centre(true);
  }
  move.set_colour(offer.colour());
  if (target() == kAzulFloor) {
    move.set_floor(true);
  } else {
    move.set_line(target());
  }
  return move;
}

}  // namespace tesela::cli
