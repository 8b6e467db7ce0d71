#include "clients/cli/base/glyphs.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <cstdint>
#include <memory>
#include <stdexcept>

namespace tesela::cli {
namespace {

void need(UErrorCode status) {
  if (U_FAILURE(status)) throw std::runtime_error(u_errorName(status));
}

Glyph glyph_of(std::string_view text) {
  Glyph glyph{.text = text};
  const auto characters =
      icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
  const UChar32 first = characters.char32At(0);
  glyph.is_pictograph = u_hasBinaryProperty(first, UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
  const int32_t end = glyph.is_pictograph ? 1 : characters.length();
  for (int32_t at = 0; at < end; at = characters.moveIndex32(at, 1)) {
    glyph.columns += columns_of(static_cast<char32_t>(characters.char32At(at)));
  }
  return glyph;
}

}  // namespace

std::size_t columns_of(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  constexpr std::uint32_t kUpon = U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK;
  const int syllable = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
  if ((U_GET_GC_MASK(c) & kUpon) != 0 || syllable == U_HST_VOWEL_JAMO ||
      syllable == U_HST_TRAILING_JAMO) {
    return 0;
  }
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

std::vector<Glyph> glyphs_of(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  thread_local const std::unique_ptr<icu::BreakIterator> clusters(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  need(status);
  const std::unique_ptr<UText, decltype(&utext_close)> opened(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status),
      utext_close);
  clusters->setText(opened.get(), status);
  need(status);
  std::vector<Glyph> glyphs;
  std::size_t begin = 0;
  for (auto end = clusters->next(); end != icu::BreakIterator::DONE; end = clusters->next()) {
    const auto next = static_cast<std::size_t>(end);
    glyphs.push_back(glyph_of(text.substr(begin, next - begin)));
    begin = next;
  }
  return glyphs;
}

}  // namespace tesela::cli
