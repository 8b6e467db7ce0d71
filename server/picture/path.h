// Lines and curves that a canvas fills or strokes.
#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tesela::picture {

struct Point {
  double x{};
  double y{};
};

/// Contours of points, y downwards, in pixels.
class Path {
 public:
  /// What a point is; the values are FreeType's tags.
  enum class Kind : unsigned char { kConic = 0, kOn = 1, kCubic = 2 };

  static Path rounded(double x, double y, double width, double height, double radius) {
    const double inner = radius * (1 - kRound);
    const double right = x + width;
    const double bottom = y + height;
    Path path;
    path.begin({x + radius, y}).line({right - radius, y});
    path.curve({right - inner, y}, {right, y + inner}, {right, y + radius});
    path.line({right, bottom - radius});
    path.curve({right, bottom - inner}, {right - inner, bottom}, {right - radius, bottom});
    path.line({x + radius, bottom});
    path.curve({x + inner, bottom}, {x, bottom - inner}, {x, bottom - radius});
    path.line({x, y + radius}).curve({x, y + inner}, {x + inner, y}, {x + radius, y});
    path.closed_ = true;
    return path;
  }

  static Path circle(Point middle, double radius) {
    return rounded(middle.x - radius, middle.y - radius, 2 * radius, 2 * radius, radius);
  }

  /// Reads commands of SVG with absolute numbers, each after its letter: M, L, Q, C and Z; they are
  /// scaled and moved by `at`. A path with a Z has closed contours alone.
  static Path of(std::string_view text, Point at, double scale) {
    Path path;
    const auto next = [&text] {
      const std::size_t from = text.find_first_of("0123456789.-");
      double number{};
      if (from == std::string_view::npos) return number;
      const char* end = text.data() + text.size();
      text.remove_prefix(static_cast<std::size_t>(
          std::from_chars(text.data() + from, end, number).ptr - text.data()));
      return number;
    };
    const auto point = [&] {
      const double x = next();
      return Point{.x = at.x + scale * x, .y = at.y + scale * next()};
    };
    for (std::size_t letter{}; (letter = text.find_first_of("MLQCZ")) != std::string_view::npos;) {
      const char command = text[letter];
      text.remove_prefix(letter + 1);
      if (command == 'Z') path.closed_ = true;
      if (command == 'M') path.begin(point());
      if (command == 'Q') path.add(point(), Kind::kConic);
      if (command == 'C') path.add(point(), Kind::kCubic).add(point(), Kind::kCubic);
      if (command != 'Z' && command != 'M') path.line(point());
    }
    return path;
  }

  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  /// The index of the first point of each contour.
  [[nodiscard]] const std::vector<std::size_t>& begins() const { return begins_; }
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  static constexpr double kRound = 0.5523;  // of a circle's quarter as a cubic curve

  Path& add(Point point, Kind kind) {
    points_.push_back(point);
    kinds_.push_back(kind);
    return *this;
  }
  Path& begin(Point point) {
    begins_.push_back(points_.size());
    return line(point);
  }
  Path& line(Point point) { return add(point, Kind::kOn); }
  Path& curve(Point first, Point second, Point end) {
    return add(first, Kind::kCubic).add(second, Kind::kCubic).line(end);
  }

  std::vector<Point> points_;
  std::vector<Kind> kinds_;
  std::vector<std::size_t> begins_;
  bool closed_ = false;
};

}  // namespace tesela::picture
