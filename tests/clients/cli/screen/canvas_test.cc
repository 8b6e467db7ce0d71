#include "clients/cli/screen/canvas.h"

#include <gtest/gtest.h>

namespace tesela::cli {
namespace {

TEST(Canvas, TextIsWhatWasPut) {
  Canvas canvas(3, 6);
  canvas.put(0, 1, "ab");
  canvas.put(1, 0, "größe");
  canvas.fill(2, 2, 1, 2, U'─');
  EXPECT_EQ(canvas.text(), " ab\ngröße\n  ──\n");
}

TEST(Canvas, WhatLiesOutsideIsCutOff) {
  Canvas canvas(2, 3);
  canvas.put(0, 1, "abc");
  canvas.put(1, -1, "xyz");
  canvas.put(2, 0, "below");
  canvas.put(-1, 0, "above");
  EXPECT_EQ(canvas.text(), " ab\nyz\n");
}

TEST(Canvas, CharactersOfEveryLengthComeBack) {
  Canvas canvas(1, 4);
  const std::string text = "aé€𝄞";
  canvas.put(0, 0, text);
  EXPECT_EQ(canvas.at(0, 3).glyph, U'𝄞');
  EXPECT_EQ(canvas.text(), text + "\n");
}

TEST(Canvas, WhatIsWideTakesTwoCellsAndAMarkTakesNone) {
  Canvas canvas(1, 7);
  canvas.put(0, 0, "亜e\u0301👩\u200d🚀x");
  EXPECT_EQ(canvas.at(0, 0).glyph, U'亜');
  EXPECT_EQ(canvas.at(0, 1).glyph, Canvas::kCovered);
  EXPECT_EQ(canvas.at(0, 2).marks, U"\u0301");
  EXPECT_EQ(canvas.at(0, 5).glyph, U'x');
  EXPECT_EQ(canvas.text(), "亜e\u0301👩x\n");
}

TEST(Canvas, HalfOfWhatIsWideIsNotShown) {
  Canvas canvas(1, 5);
  canvas.put(0, 0, "亜亜亜");
  EXPECT_EQ(canvas.text(), "亜亜\n");
  canvas.put(0, 1, "a");
  EXPECT_EQ(canvas.text(), " a亜\n");
  canvas.put(0, 2, "b");
  EXPECT_EQ(canvas.text(), " ab\n");
}

TEST(Canvas, BrokenBytesAreQuestionMarks) {
  Canvas canvas(1, 8);
  canvas.put(0, 0, "a\xC3z\x80\xFF.");
  EXPECT_EQ(canvas.text(), "a?z??.\n");
}

TEST(Canvas, ACellHasTheStyleOfTheLastThatWasPutThere) {
  Canvas canvas(1, 2);
  canvas.put(0, 0, "ab", kBold);
  canvas.put(0, 0, "c", kDim);
  EXPECT_EQ(canvas.at(0, 0).style, kDim);
  EXPECT_EQ(canvas.at(0, 1).style, kBold);
}

}  // namespace
}  // namespace tesela::cli
