// What the head of the page says about itself to programs that show links.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tesela::services {

/// A screen of the page that has an address.
struct Screen {
  std::string_view path;  // "/daily", and everything below it
  std::string_view title;
  std::string_view description;
};

/// The screens whose words are always the same (clients/web/src/base/route.svelte.ts); the last has
/// the path "/" alone. In English.
[[nodiscard]] std::span<const Screen> screens();

struct LinkTags {
  std::string title{"Tesela"};
  std::string description{screens().back().description};
  std::string path{"/"};
  /// Of a picture of picture::kWidth and kHeight; empty: the sign of the site.
  std::string picture{};
};

/// HTML: title, description and, with the site's `origin` ("https://tesela.example"), the canonical
/// address and a picture.
[[nodiscard]] std::string html_of(const LinkTags& tags, const std::string& origin);

/// A text between quotes, or between tags.
[[nodiscard]] std::string escaped(std::string text);

}  // namespace tesela::services
