#include "clients/cli/table/search_screen.h"

#include <google/protobuf/util/time_util.h>

#include <string>
#include <string_view>
#include <utility>

#include "clients/cli/screen/game_screen.h"

namespace tesela::cli {
namespace {

std::string party_words(const SearchPicture& picture) {
  std::string text = "Of your party " + std::to_string(picture.standing->party_present()) + " of " +
                     std::to_string(picture.party_size) + " are here";
  std::string_view before = ": ";
  for (const auto& name : picture.standing->party_names()) {
    text.append(std::exchange(before, ", ")).append(name);
  }
  return text + ".";
}

std::string estimate_words(const lobby::v1::Searching& standing) {
  if (!standing.has_estimate()) return "Nobody knows yet how long it takes.";
  using google::protobuf::util::TimeUtil;
  // Rounded up, so that it is never "0 s".
  const auto seconds = TimeUtil::DurationToMilliseconds(standing.estimate()) / 1000 + 1;
  return "It takes about " + std::to_string(seconds) + " s more.";
}

void draw_standing(const SearchPicture& picture, Canvas& canvas) {
  const lobby::v1::Searching& standing = *picture.standing;
  int row = kGameTop + 3;
  if (picture.party_size > 1) {
    canvas.put(row++, kLeftMargin, party_words(picture));
  }
  if (standing.position() == 0) return;
  canvas.put(row++, kLeftMargin,
             "Your place in the queue: " + std::to_string(standing.position()) + ".");
  canvas.put(row, kLeftMargin, estimate_words(standing));
}

}  // namespace

void draw_search(const SearchPicture& picture, Canvas& canvas) {
  canvas.put(0, kLeftMargin, picture.game, kBold);
  canvas.put(kGameTop + 1, kLeftMargin, "Looking for opponents.");
  if (picture.standing) draw_standing(picture, canvas);
  const int row = canvas.rows() - kGameBottom;
  canvas.put(row, kLeftMargin, picture.message, kBold);
  canvas.put(row + 1, kLeftMargin, "q: quit");
}

}  // namespace tesela::cli
