#include "clients/cli/table/table_talk.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "clients/cli/base/text_rows.h"
#include "clients/cli/screen/canvas.h"

namespace tesela::cli {
namespace {

using play::v1::ClientFrame;

// By Phrase, from 1.
constexpr std::array<std::string_view, 9> kPhrases{
    "Hello!",          "Good luck!",          "Well played!", "Thank you!",   "Oops!",
    "Take your time.", "One moment, please.", "Good game!",   "Another one?",
};

ClientFrame mute_frame(const std::string& player_id, bool muted) {
  ClientFrame frame;
  frame.mutable_mute()->set_player_id(player_id);
  frame.mutable_mute()->set_muted(muted);
  return frame;
}

bool is_typed(Key key) {
  constexpr Key kDelete = 0x7f;
  return key >= U' ' && key != kDelete && key < key::kUp;
}

std::string utf8(std::u32string_view text) {
  std::string bytes;
  for (const char32_t glyph : text) append_glyph(bytes, glyph);
  return bytes;
}

}  // namespace

std::string said_words(const play::v1::Said& said) {
  const std::string who = said.display_name() + ": ";
  if (said.what_case() == play::v1::Said::kText) return who + said.text();
  const auto phrase = static_cast<std::size_t>(said.phrase());
  const bool known = phrase >= 1 && phrase <= kPhrases.size();
  return who + (known ? std::string{kPhrases.at(phrase - 1)} : "…");
}

std::string announced_words(const std::string& text) {
  return "An operator says: " + text;
}

void TableTalk::add(std::string line) {
  if (lines_.size() == kLinesMax) lines_.pop_front();
  lines_.push_back(std::move(line));
}

void TableTalk::take(const play::v1::Seating& seating, std::optional<std::uint32_t> own) {
  others_.clear();
  for (const auto& occupant : seating.seats()) {
    if (occupant.bot() || occupant.seat() == own) continue;
    others_.push_back({occupant.seat(), occupant.player_id(), occupant.display_name()});
  }
}

std::optional<ClientFrame> TableTalk::press(Key key) {
  std::optional<ClientFrame> frame;
  if (asking_ == Asking::kWords) frame = press_words(key);
  if (asking_ == Asking::kPhrase) frame = press_phrase(key);
  if (asking_ == Asking::kMute) frame = press_mute(key);
  if (frame || key == key::kEscape) asking_ = Asking::kNothing;
  return frame;
}

/// Keeps the text when the player returns to the game.
std::optional<ClientFrame> TableTalk::press_words(Key key) {
  if (key == key::kBackspace && !typed_.empty()) typed_.pop_back();
  if (is_typed(key) && typed_.size() < kWordsMax) typed_ += key;
  if (key != key::kEnter || typed_.find_first_not_of(U' ') == std::u32string::npos) {
    return std::nullopt;
  }
  std::optional<ClientFrame> frame(std::in_place);
  frame->mutable_say()->set_text(utf8(typed_));
  typed_.clear();
  return frame;
}

std::optional<ClientFrame> TableTalk::press_phrase(Key key) {
  if (key < U'1' || key > U'9') return std::nullopt;
  std::optional<ClientFrame> frame(std::in_place);
  frame->mutable_say()->set_phrase(static_cast<play::v1::Phrase>(key - U'0'));
  return frame;
}

std::optional<ClientFrame> TableTalk::press_mute(Key key) {
  const auto chosen =
      std::ranges::find_if(others_, [key](const Other& other) { return key == U'1' + other.seat; });
  if (chosen == others_.end()) return std::nullopt;
  const bool muted = muted_.erase(chosen->player_id) == 0;
  if (muted) muted_.insert(chosen->player_id);
  return mute_frame(chosen->player_id, muted);
}

std::optional<Prompt> TableTalk::prompt(std::size_t width) const {
  constexpr std::string_view kSay = "Say: ";
  std::vector<std::string> items;
  switch (asking_) {
    case Asking::kNothing:
      return std::nullopt;
    case Asking::kWords: {
      const std::size_t room = width - kSay.size() - 1;
      std::u32string_view shown = typed_;
      while (columns_in(utf8(shown)) > room) shown.remove_prefix(1);
      return Prompt{.text = std::string{kSay} + utf8(shown) + "_",
                    .keys = {"enter: say it   backspace: erase   escape: back to the game"}};
    }
    case Asking::kPhrase:
      for (const std::string_view phrase : kPhrases) {
        items.push_back(std::to_string(items.size() + 1) + " " + std::string{phrase});
      }
      return Prompt{.text = "Say which? Escape: back to the game.", .keys = flowed(items, width)};
    case Asking::kMute:
      for (const Other& other : others_) {
        const bool muted = muted_.contains(other.player_id);
        items.push_back(std::to_string(other.seat + 1) + " " + other.name +
                        (muted ? " (muted)" : ""));
      }
      return Prompt{.text = "Mute whom, or hear whom again? Escape: back to the game.",
                    .keys = flowed(items, width)};
  }
  return std::nullopt;
}

std::vector<ClientFrame> TableTalk::mutes() const {
  std::vector<ClientFrame> frames;
  frames.reserve(muted_.size());
  for (const std::string& player_id : muted_) frames.push_back(mute_frame(player_id, true));
  return frames;
}

std::vector<std::string> TableTalk::rows(std::size_t width, std::size_t rows_max) const {
  std::vector<std::string> rows;
  for (auto line = lines_.rbegin(); line != lines_.rend() && rows.size() < rows_max; ++line) {
    const auto broken = wrapped(*line, width);
    const std::size_t room = rows_max - rows.size();
    if (broken.size() > room && !rows.empty()) break;
    const std::size_t shown = std::min(broken.size(), room);
    rows.insert(rows.begin(), broken.begin(), broken.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < broken.size()) rows.back() = cut(rows.back(), width - 2) + " …";
  }
  return rows;
}

}  // namespace tesela::cli
