#include "server/services/history/link_tags.h"

#include <array>
#include <boost/algorithm/string/replace.hpp>

#include "server/picture/drawing.h"

namespace tesela::services {
namespace {

void add_meta(std::string& head, std::string_view kind, std::string_view name,
              const std::string& content) {
  head.append("<meta ").append(kind).append("=\"").append(name);
  head.append("\" content=\"").append(escaped(content)).append("\" />");
}

}  // namespace

std::span<const Screen> screens() {
  static constexpr std::array<Screen, 12> kScreens{{
      {"/find", "Find opponents", "Choose a game, and we’ll find players for you."},
      {"/party", "Your group", "Join a group, and look for other players together."},
      {"/daily", "Daily games", "One game a day, the same for everyone. You have one try."},
      {"/boards", "Rankings", "The best players of every game."},
      {"/games", "My games", "All the games you’ve played, move by move."},
      {"/account", "Account", "How you sign in, and where."},
      {"/friends", "Friends", "Players you follow, and challenges."},
      {"/challenge", "A challenge", "Somebody challenges you to a game."},
      {"/player", "Player", "Games, ratings and results."},
      {"/replay", "Replay", "A finished game, move by move."},
      {"/proof", "Verify this game", "Anyone can check that the dice were not changed."},
      {"/", "Tesela", "Tile games, played for real: Tesela keeps every move."},
  }};
  return kScreens;
}

std::string escaped(std::string text) {
  boost::replace_all(text, "&", "&amp;");
  boost::replace_all(text, "<", "&lt;");
  boost::replace_all(text, "\"", "&quot;");
  return text;
}

std::string html_of(const LinkTags& tags, const std::string& origin) {
  std::string head;
  const auto add = [&head](std::string_view property, const std::string& content) {
    add_meta(head, "property", property, content);
  };
  const bool has_picture = !origin.empty() && !tags.picture.empty();
  add_meta(head, "name", "description", tags.description);
  head += "<title>" + escaped(tags.title);
  head += tags.title == "Tesela" ? "</title>" : " · Tesela</title>";
  add("og:site_name", "Tesela");
  add("og:type", "website");
  add("og:title", tags.title);
  add("og:description", tags.description);
  // The rest of Twitter's tags it takes from these.
  add_meta(head, "name", "twitter:card", has_picture ? "summary_large_image" : "summary");
  if (origin.empty()) return head;
  head += R"(<link rel="canonical" href=")" + escaped(origin + tags.path) + "\" />";
  add("og:url", origin + tags.path);
  add("og:image", origin + (has_picture ? tags.picture : "/icon-512.png"));
  add("og:image:type", "image/png");
  add("og:image:width", std::to_string(has_picture ? picture::kWidth : 512));
  add("og:image:height", std::to_string(has_picture ? picture::kHeight : 512));
  add("og:image:alt", has_picture ? tags.title + ". " + tags.description : "The sign of Tesela");
  return head;
}

}  // namespace tesela::services
