// A picture that is drawn in memory, and written as PNG.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/picture/path.h"

namespace tesela::picture {

struct Colour {
  std::uint32_t rgb{};  // 0xRRGGBB
  double opacity{1};
};

/// The files of two fonts (TrueType or WOFF2), which outlive what is drawn with them.
struct Fonts {
  std::string_view regular;
  std::string_view bold;
};

enum class Align : std::uint8_t { kLeft, kMiddle, kRight };

struct TextStyle {
  double size{};  // in pixels
  Colour colour{};
  bool bold{};
  Align align{Align::kLeft};
  double width_max{};  // a wider text is drawn smaller; 0: none is
};

/// One thread at a time.
class Canvas {
 public:
  /// Throws std::runtime_error when a font cannot be read.
  Canvas(int width, int height, Colour ground, const Fonts& fonts);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void fill(const Path& path, Colour colour);
  void stroke(const Path& path, double width, Colour colour);
  /// Draws UTF-8 with its baseline at `at`, and returns its width. Characters that the font lacks
  /// are left out.
  double text(std::string_view text, Point at, const TextStyle& style);
  /// Whether the fonts have every character.
  [[nodiscard]] bool has_all_of(std::string_view text) const;

  /// The picture as a file.
  [[nodiscard]] std::string png() const;

 private:
  struct FreeType;

  const int width_;
  const int height_;
  std::unique_ptr<FreeType> free_type_;
  std::vector<std::uint8_t> pixels_;  // red, green, blue; row by row
};

}  // namespace tesela::picture
