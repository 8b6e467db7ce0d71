#include "server/picture/canvas.h"

#include <ft2build.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>

#include "server/base/text_encoding.h"
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_STROKER_H

namespace tesela::picture {
namespace {

constexpr double kUnits = 64;  // of FreeType in a pixel
constexpr std::size_t kChannels = 3;

FT_Pos units(double pixels) {
  return std::lround(pixels * kUnits);
}

void check(FT_Error error, const char* what) {
  if (error != 0) throw std::runtime_error(std::string("A picture's ") + what + " is unusable.");
}

/// FreeType's form of a path: y upwards.
class Outline {
 public:
  explicit Outline(const Path& path) {
    for (const Point& point : path.points()) points_.push_back({units(point.x), -units(point.y)});
    for (const Path::Kind kind : path.kinds()) tags_.push_back(static_cast<char>(kind));
    for (const std::size_t begin : path.begins()) {
      if (begin > 0) ends_.push_back(static_cast<short>(begin - 1));
    }
    ends_.push_back(static_cast<short>(points_.size() - 1));
    outline_.n_contours = static_cast<short>(ends_.size());
    outline_.n_points = static_cast<short>(points_.size());
    outline_.points = points_.data();
    outline_.tags = tags_.data();
    outline_.contours = ends_.data();
  }

  FT_Outline* get() { return &outline_; }

 private:
  std::vector<FT_Vector> points_;
  std::vector<char> tags_;
  std::vector<short> ends_;
  FT_Outline outline_{};
};

}  // namespace

struct Canvas::FreeType {
  explicit FreeType(const Fonts& fonts) {
    check(FT_Init_FreeType(&library), "library");
    try {
      regular = face(fonts.regular);
      bold = face(fonts.bold);
    } catch (...) {
      FT_Done_FreeType(library);
      throw;
    }
  }
  ~FreeType() { FT_Done_FreeType(library); }  // and the faces
  FreeType(const FreeType&) = delete;
  FreeType& operator=(const FreeType&) = delete;

  FT_Face face(std::string_view file) const {
    FT_Face made{};
    check(FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(file.data()),
                             static_cast<FT_Long>(file.size()), 0, &made),
          "font");
    return made;
  }

  /// Calls `each` with the glyphs of a text and where they stand from its beginning, in pixels.
  /// Returns the width.
  template <class Each>
  static double walk(FT_Face face, std::string_view text, double size, Each each) {
    check(FT_Set_Char_Size(face, 0, units(size), 0, 0), "size of letters");
    double width = 0;
    for (std::size_t at = 0; at < text.size();) {
      const auto character = base::character_at(text, at);
      if (!character) break;
      at = character->end;
      const FT_UInt glyph = FT_Get_Char_Index(face, character->code);
      if (glyph == 0 || FT_Load_Glyph(face, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) {
        continue;
      }
      each(face->glyph->outline, width);
      width += static_cast<double>(face->glyph->advance.x) / kUnits;
    }
    return width;
  }

  void paint(FT_Outline* outline, Colour colour, int width, int height,
             std::vector<std::uint8_t>& pixels) {
    FT_BBox box{};
    FT_Outline_Get_CBox(outline, &box);
    const int left = std::max(0, static_cast<int>(box.xMin >> 6));
    const int right = std::min(width, static_cast<int>((box.xMax + 63) >> 6));
    const int top = std::max(0, -static_cast<int>((box.yMax + 63) >> 6));
    const int bottom = std::min(height, -static_cast<int>(box.yMin >> 6));
    if (left >= right || top >= bottom) return;
    FT_Bitmap bitmap{};
    bitmap.width = static_cast<unsigned>(right - left);
    bitmap.rows = static_cast<unsigned>(bottom - top);
    bitmap.pitch = right - left;
    bitmap.num_grays = 256;
    bitmap.pixel_mode = FT_PIXEL_MODE_GRAY;
    coverage.assign(std::size_t{bitmap.width} * bitmap.rows, 0);
    bitmap.buffer = coverage.data();
    FT_Outline_Translate(outline, -64L * left, 64L * bottom);
    if (FT_Outline_Get_Bitmap(library, outline, &bitmap) != 0) return;
    const std::uint8_t* covered = coverage.data();
    for (int y = top; y < bottom; ++y) {
      auto* pixel =
          &pixels[kChannels * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                               static_cast<std::size_t>(left))];
      for (int x = left; x < right; ++x, ++covered) {
        const double share = colour.opacity * *covered / 255;
        for (unsigned shift : {16U, 8U, 0U}) {
          const double aim = colour.rgb >> shift & 255U;
          *pixel = static_cast<std::uint8_t>(std::lround(*pixel + share * (aim - *pixel)));
          ++pixel;
        }
      }
    }
  }

  FT_Library library{};
  FT_Face regular{};
  FT_Face bold{};
  std::vector<std::uint8_t> coverage;  // of what is being painted: 0 to 255 a pixel
};

Canvas::Canvas(int width, int height, Colour ground, const Fonts& fonts)
    : width_(width),
      height_(height),
      free_type_(std::make_unique<FreeType>(fonts)),
      pixels_(kChannels * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
  for (std::size_t i = 0; i < pixels_.size(); ++i) {
    pixels_[i] = static_cast<std::uint8_t>(ground.rgb >> (16 - 8 * (i % kChannels)));
  }
}

Canvas::~Canvas() = default;

void Canvas::fill(const Path& path, Colour colour) {
  Outline outline(path);
  free_type_->paint(outline.get(), colour, width_, height_, pixels_);
}

void Canvas::stroke(const Path& path, double width, Colour colour) {
  FT_Stroker stroker{};
  check(FT_Stroker_New(free_type_->library, &stroker), "line");
  FT_Stroker_Set(stroker, units(width / 2), FT_STROKER_LINECAP_BUTT,
                 FT_STROKER_LINEJOIN_MITER_FIXED, 4L << 16);
  Outline line(path);
  FT_UInt points{};
  FT_UInt contours{};
  FT_Outline border{};
  const bool made =
      FT_Stroker_ParseOutline(stroker, line.get(), path.closed() ? 0 : 1) == 0 &&
      FT_Stroker_GetCounts(stroker, &points, &contours) == 0 &&
      FT_Outline_New(free_type_->library, points, static_cast<FT_Int>(contours), &border) == 0;
  if (made) {
    border.n_points = 0;  // to which the stroker adds
    border.n_contours = 0;
    FT_Stroker_Export(stroker, &border);
    free_type_->paint(&border, colour, width_, height_, pixels_);
    FT_Outline_Done(free_type_->library, &border);
  }
  FT_Stroker_Done(stroker);
}

double Canvas::text(std::string_view text, Point at, const TextStyle& style) {
  const FT_Face face = style.bold ? free_type_->bold : free_type_->regular;
  double size = style.size;
  double width = FreeType::walk(face, text, size, [](auto&, double) {});
  if (style.width_max > 0 && width > style.width_max) {
    size *= style.width_max / width;
    width = style.width_max;
  }
  if (style.align == Align::kMiddle) at.x -= width / 2;
  if (style.align == Align::kRight) at.x -= width;
  FreeType::walk(face, text, size, [&](FT_Outline& outline, double from) {
    FT_Outline_Translate(&outline, units(at.x + from), -units(at.y));
    free_type_->paint(&outline, style.colour, width_, height_, pixels_);
  });
  return width;
}

bool Canvas::has_all_of(std::string_view text) const {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = base::character_at(text, at);
    if (!character || FT_Get_Char_Index(free_type_->bold, character->code) == 0) return false;
    at = character->end;
  }
  return true;
}

std::string Canvas::png() const {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width_);
  image.height = static_cast<png_uint_32>(height_);
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;  // a third of the time, and smaller: without filters
  std::string file(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = file.size();
  if (png_image_write_to_memory(&image, file.data(), &size, 0, pixels_.data(), 0, nullptr) == 0) {
    throw std::runtime_error(std::string("A picture cannot be written: ") + image.message);
  }
  file.resize(size);
  file.shrink_to_fit();
  return file;
}

}  // namespace tesela::picture
