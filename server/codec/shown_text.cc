#include "server/codec/shown_text.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/usetiter.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "server/base/limits.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
#include "server/games/games.h"

namespace tesela::codec {
namespace {

using icu::UnicodeSet;
using icu::UnicodeString;

constexpr UChar32 kNonJoiner = 0x200c;
constexpr UChar32 kJoiner = 0x200d;
constexpr UChar32 kTextSelector = 0xfe0e;
constexpr UChar32 kEmojiSelector = 0xfe0f;
/// Marks on a letter, those included that its script puts in places of their own: Burmese and
/// Tibetan use so many. Above: refused. Of the others limits::kMarksMax.
constexpr std::size_t kSpellingMarksMax = 6;
constexpr UChar32 kNone = U_SENTINEL;  // no character

/// ICU fails here only where its data is not installed, or memory is short.
void need(UErrorCode status) {
  if (U_FAILURE(status)) throw std::runtime_error(std::string("ICU: ") + u_errorName(status));
}

/// Characters that are drawn as nothing, or change their neighbours. Unassigned characters may be
/// either, but for those that are kept for emoji to come. Those at the end are symbols and letters
/// whose form is blank, which no property tells: of Braille, Khitan, music and hieroglyphs.
const UnicodeSet& undrawn() {
  static const UnicodeSet set = [] {
    UErrorCode status = U_ZERO_ERROR;
    UnicodeSet characters(
        u"[[[:C:]-[[:Cn:]&[:Extended_Pictographic:]]][:Zl:][:Zp:]"
        u"[:Default_Ignorable_Code_Point:]\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159]",
        status);
    need(status);
    characters.freeze();
    return characters;
  }();
  return set;
}

UnicodeString without_selectors(const UnicodeString& text) {
  UnicodeString bare = text;
  return bare.findAndReplace(UnicodeString(kEmojiSelector), UnicodeString());
}

/// Whether a grapheme cluster is an emoji that people send each other (RGI_Emoji). Many programs
/// leave out selectors.
bool is_emoji(const UnicodeString& cluster) {
  static const std::set<UnicodeString> all = [] {
    UErrorCode status = U_ZERO_ERROR;
    const USet* set = u_getBinaryPropertySet(UCHAR_RGI_EMOJI, &status);
    need(status);
    std::set<UnicodeString> bare;
    icu::UnicodeSetIterator each(*UnicodeSet::fromUSet(set));
    while (each.next()) bare.insert(without_selectors(each.getString()));
    return bare;
  }();
  return all.contains(without_selectors(cluster));
}

UChar32 before(const UnicodeString& text, int32_t at) {
  return at == 0 ? kNone : text.char32At(text.moveIndex32(at, -1));
}

UChar32 after(const UnicodeString& text, int32_t at) {
  const int32_t next = text.moveIndex32(at, 1);
  return next >= text.length() ? kNone : text.char32At(next);
}

bool is_virama(UChar32 c) {
  constexpr std::uint8_t kVirama = 9;
  return c != kNone && u_getCombiningClass(c) == kVirama;
}

/// Whether a letter is written cursively, so that its form depends on its neighbours.
bool joins(UChar32 c) {
  if (c == kNone) return false;
  const int32_t type = u_getIntPropertyValue(c, UCHAR_JOINING_TYPE);
  return type == U_JT_DUAL_JOINING || type == U_JT_RIGHT_JOINING || type == U_JT_LEFT_JOINING;
}

/// The next character from `at` on, in steps of 1 or -1, that is no mark upon a letter.
UChar32 letter_from(const UnicodeString& text, int32_t at, int32_t step) {
  for (;;) {
    const UChar32 c = step > 0 ? after(text, at) : before(text, at);
    if (c == kNone || u_getIntPropertyValue(c, UCHAR_JOINING_TYPE) != U_JT_TRANSPARENT) return c;
    at = text.moveIndex32(at, step);
  }
}

/// Whether the script of its neighbours wants the undrawn character at `at`: joiners as in RFC 5892
/// (A.1 and A.2), but also after letters that join to the right alone, where people type them, and
/// a joiner before a virama (Bengali, Sinhala); selectors of forms of ideographs, Mongolian letters
/// and emoji.
bool is_wanted(const UnicodeString& text, int32_t at) {
  const UChar32 c = text.char32At(at);
  const UChar32 previous = before(text, at);
  if (previous == kNone) return false;
  if (c == kJoiner) return is_virama(previous) || is_virama(after(text, at));
  if (c == kNonJoiner) {
    return is_virama(previous) ||
           (joins(letter_from(text, at, -1)) && joins(letter_from(text, at, 1)));
  }
  if (c == kTextSelector || c == kEmojiSelector) {
    return u_hasBinaryProperty(previous, UCHAR_EMOJI) != 0;
  }
  UErrorCode status = U_ZERO_ERROR;
  return u_hasBinaryProperty(c, UCHAR_VARIATION_SELECTOR) != 0 &&
         (u_hasBinaryProperty(previous, UCHAR_UNIFIED_IDEOGRAPH) != 0 ||
          (uscript_getScript(previous, &status) == USCRIPT_MONGOLIAN && u_isalpha(previous) != 0));
}

bool is_mark(UChar32 c) {
  return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
}

/// Whether a mark is put above or below all that its letter has, and not where its script says.
bool is_stacked(UChar32 c) {
  constexpr std::uint8_t kFirstGeneralPlace = 200;
  return u_getCombiningClass(c) >= kFirstGeneralPlace || u_charType(c) == U_ENCLOSING_MARK;
}

std::unexpected<Error> refused(std::string_view what, const std::string& why) {
  return refuse(ErrorCode::kInvalidArgument, "The " + std::string(what) + why);
}

/// Checks the characters [begin, end), a grapheme cluster that is no emoji.
Expected<void> check_cluster(const UnicodeString& text, int32_t begin, int32_t end,
                             std::string_view what) {
  std::size_t marks = 0;
  std::size_t stacked = 0;
  for (int32_t at = begin; at < end; at = text.moveIndex32(at, 1)) {
    const UChar32 c = text.char32At(at);
    // At the beginning, a mark would attach to the text before it.
    if ((at == 0 && is_mark(c)) || (undrawn().contains(c) && !is_wanted(text, at))) {
      return refused(what, " has characters that cannot be shown; leave them out.");
    }
    if (!is_mark(c)) continue;
    ++marks;
    if (is_stacked(c)) ++stacked;
    if (marks > kSpellingMarksMax || stacked > limits::kMarksMax || c == before(text, at)) {
      return refused(what, " has too many marks on a letter; leave some out.");
    }
  }
  return {};
}

Expected<void> check_clusters(const UnicodeString& text, std::string_view what) {
  static thread_local const std::unique_ptr<icu::BreakIterator> clusters = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
    need(status);
    return made;
  }();
  clusters->setText(text);
  int32_t begin = 0;
  for (int32_t end = clusters->next(); end != icu::BreakIterator::DONE; end = clusters->next()) {
    if (!is_emoji(text.tempSubStringBetween(begin, end))) {
      if (auto fit = check_cluster(text, begin, end, what); !fit) return fit;
    }
    begin = end;
  }
  return {};
}

using Form = const icu::Normalizer2*(UErrorCode&);

UnicodeString normalized(const UnicodeString& text, Form& form) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = form(status);
  need(status);
  UnicodeString normal = normalizer->normalize(text, status);
  need(status);
  return normal;
}

UnicodeString from_utf8(std::string_view text) {
  return UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
}

/// Without white space at the ends, and with one space for each run of spaces.
UnicodeString trimmed(const UnicodeString& text) {
  UnicodeString kept;
  bool spaced = false;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const UChar32 c = text.char32At(at);
    if (u_charType(c) == U_SPACE_SEPARATOR) {
      spaced = !kept.isEmpty();
      continue;
    }
    if (u_isUWhiteSpace(c) != 0 && kept.isEmpty()) continue;
    if (std::exchange(spaced, false)) kept.append(u' ');
    kept.append(c);
  }
  int32_t end = kept.length();  // line ends are no spaces
  while (end > 0 && u_isUWhiteSpace(kept.char32At(end - 1)) != 0) --end;
  kept.truncate(end);
  return kept;
}

Expected<UnicodeString> checked(std::string_view text, std::size_t max, std::string_view what) {
  if (!base::is_utf8(text)) return refused(what, " is not valid UTF-8.");
  UnicodeString kept = trimmed(normalized(from_utf8(text), icu::Normalizer2::getNFCInstance));
  const auto size = static_cast<std::size_t>(kept.countChar32());
  if (size == 0) return refused(what, " is empty; it needs at least one character.");
  if (size > max) {
    return refused(what, " has " + std::to_string(size) + " characters; at most " +
                             std::to_string(max) + " are allowed.");
  }
  if (auto fit = check_clusters(kept, what); !fit) return std::unexpected(std::move(fit.error()));
  return kept;
}

/// Opened once: that takes longer than a thousand checks.
const USpoofChecker* spoof_checker() {
  static const icu::LocalUSpoofCheckerPointer opened = [] {
    UErrorCode status = U_ZERO_ERROR;
    icu::LocalUSpoofCheckerPointer checker(uspoof_open(&status));
    need(status);
    uspoof_setRestrictionLevel(checker.getAlias(), USPOOF_HIGHLY_RESTRICTIVE);
    uspoof_setChecks(
        checker.getAlias(),
        USPOOF_RESTRICTION_LEVEL | USPOOF_MIXED_NUMBERS | USPOOF_INVISIBLE | USPOOF_HIDDEN_OVERLAY,
        &status);
    need(status);
    return checker;
  }();
  return opened.getAlias();
}

/// Texts with the same skeleton look alike.
UnicodeString skeleton(const UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  UnicodeString out;
  uspoof_getSkeletonUnicodeString(spoof_checker(), 0, text, out, &status);
  need(status);
  return out;
}

/// The same for capitals, wide letters and the like.
UnicodeString folded(const UnicodeString& text) {
  return normalized(text, icu::Normalizer2::getNFKCCasefoldInstance);
}

/// Whether a name could be taken for that of a bot: a strategy's, or "ext/" and anything.
bool looks_like_a_bot(const UnicodeString& name) {
  static const UnicodeString outside = skeleton(u"ext/");
  static const std::set<UnicodeString> strategies = [] {
    std::set<UnicodeString> names;
    for (const Listed& strategy : games::all_strategies()) {
      names.insert(skeleton(folded(from_utf8(strategy.description.name))));
    }
    return names;
  }();
  UnicodeString letters = name;
  letters.findAndReplace(u" ", u"");
  // A capital may look like a small letter, its own or another one.
  const std::array<UnicodeString, 3> forms{skeleton(letters), skeleton(folded(letters)),
                                           folded(skeleton(letters))};
  return std::ranges::any_of(forms, [](const UnicodeString& form) {
    return form.startsWith(outside) || strategies.contains(form);
  });
}

Expected<void> check_imitation(const UnicodeString& name) {
  UErrorCode status = U_ZERO_ERROR;
  const auto failed = uspoof_check2UnicodeString(spoof_checker(), name, nullptr, &status);
  need(status);
  if ((failed & USPOOF_RESTRICTION_LEVEL) != 0) {
    return refused("name",
                   " mixes letters of scripts that are not written together and may look alike; "
                   "use those of one.");
  }
  if ((failed & USPOOF_MIXED_NUMBERS) != 0) {
    return refused("name", " mixes digits of several scripts; use those of one.");
  }
  if (failed != 0) return refused("name", " has marks that cannot be seen; leave them out.");
  if (looks_like_a_bot(name)) return refused("name", " is like that of a bot; use another one.");
  return {};
}

/// The same for handles that look alike. `l`, `I` and `1` do in most fonts, and UTS 39 has no small
/// `i` among them.
UnicodeString key_of(const UnicodeString& handle) {
  UnicodeString key = folded(skeleton(folded(handle)));
  key.findAndReplace(u"i", u"l");
  return key.findAndReplace(u"_", u"-");
}

bool sounds_official(const UnicodeString& key) {
  static const std::set<UnicodeString> names = [] {
    std::set<UnicodeString> keys;
    for (const char* name : {"admin", "administrator", "anonymous", "everybody", "guest", "help",
                             "mod", "moderator", "nobody", "official", "operator", "root", "server",
                             "someone", "staff", "support", "system", "tesela", "you"}) {
      keys.insert(key_of(from_utf8(name)));
    }
    return keys;
  }();
  return names.contains(key);
}

bool begins_with_at(const UnicodeString& text) {
  return folded(UnicodeString(text.char32At(0))).startsWith(u"@");
}

bool is_of_handles(UChar32 c) {
  return u_isalnum(c) != 0 || is_mark(c) || c == u'-' || c == u'_';
}

/// The characters of a handle, or of its beginning.
Expected<UnicodeString> checked_handle(std::string_view text, std::size_t min) {
  auto name = checked(text, limits::kHandleMax + 1, "handle");
  if (!name) return name;
  if (begins_with_at(*name)) name->remove(0, 1);
  const auto size = static_cast<std::size_t>(name->countChar32());
  if (size < min || size > limits::kHandleMax) {
    return refused("handle", " needs " + std::to_string(min) + " to " +
                                 std::to_string(limits::kHandleMax) + " characters.");
  }
  bool fits = u_isalpha(name->char32At(0)) != 0;
  for (int32_t at = 0; at < name->length(); at = name->moveIndex32(at, 1)) {
    fits = fits && is_of_handles(name->char32At(at));
  }
  if (fits) return name;
  return refused("handle", " has letters, digits, - and _ alone, and begins with a letter.");
}

}  // namespace

Expected<std::string> shown_text(std::string_view text, std::size_t max, std::string_view what) {
  const auto kept = checked(text, max, what);
  if (!kept) return std::unexpected(kept.error());
  std::string shown;
  return kept->toUTF8String(shown);
}

Expected<std::string> shown_name(std::string_view name) {
  const auto kept = checked(name, limits::kDisplayNameMax, "name");
  if (!kept) return std::unexpected(kept.error());
  if (begins_with_at(*kept)) {
    return refused("name", " begins with @, as those of players with a handle do; leave it out.");
  }
  if (auto fit = check_imitation(*kept); !fit) return std::unexpected(std::move(fit.error()));
  std::string shown;
  return kept->toUTF8String(shown);
}

Expected<Handle> read_handle(std::string_view handle) {
  const auto name = checked_handle(handle, limits::kHandleMin);
  if (!name) return std::unexpected(name.error());
  if (auto fit = check_imitation(*name); !fit) return std::unexpected(std::move(fit.error()));
  const UnicodeString key = key_of(*name);
  if (sounds_official(key)) return refused("handle", " sounds like the operator's; take another.");
  Handle read;
  name->toUTF8String(read.shown);
  key.toUTF8String(read.key);
  return read;
}

Expected<std::string> handle_prefix_key(std::string_view prefix) {
  const auto begin = checked_handle(prefix, limits::kHandlePrefixMin);
  if (!begin) return std::unexpected(begin.error());
  std::string key;
  return key_of(*begin).toUTF8String(key);
}

std::string with_reason(std::string what, std::string_view reason) {
  what.append(": ").append(reason);
  if (!std::string_view(".!?").contains(what.back())) what += '.';
  return what;
}

}  // namespace tesela::codec
