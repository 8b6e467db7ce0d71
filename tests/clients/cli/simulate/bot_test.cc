#include "clients/cli/simulate/bot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clients/cli/simulate/tournament.h"

namespace tesela::cli {
namespace bot_text_test {

using std::chrono::milliseconds;
using testing::HasSubstr;

TEST(BotText, AStrategyAndItsBudget) {
  EXPECT_EQ(read_bot("greedy"), (BotText{.text = "greedy", .strategy = "greedy"}));
  EXPECT_EQ(read_bot("uct:nodes=5000").value().budget, (BotBudget{.nodes = 5000}));
  EXPECT_EQ(read_bot("uct:time=20ms").value().budget, (BotBudget{.time = milliseconds{20}}));
  EXPECT_EQ(read_bot("uct:nodes=7:time=1s").value().budget,
            (BotBudget{.nodes = 7, .time = milliseconds{1000}}));
}

TEST(BotText, SeveralHaveCommasBetweenThem) {
  const auto bots = read_bots("random,uct:nodes=1,uct:nodes=2").value();
  ASSERT_EQ(bots.size(), 3U);
  EXPECT_EQ(bots[1].text, "uct:nodes=1");
  EXPECT_EQ(bots[2].strategy, "uct");
}

TEST(BotText, WhatIsWrongIsSaid) {
  for (const char* text : {"", ":nodes=5", "a,,b", ","}) {
    const auto bots = read_bots(text);
    ASSERT_FALSE(bots.has_value()) << text;
    EXPECT_THAT(bots.error().message, HasSubstr("has no name")) << text;
  }
  for (const char* text : {"uct:nodes=0", "uct:nodes=", "uct:nodes=-1", "uct:nodes=1x", "uct:5",
                           "uct:", "uct:depth=3", "uct:nodes=99999999999999999999"}) {
    const auto bot = read_bot(text);
    ASSERT_FALSE(bot.has_value()) << text;
    EXPECT_THAT(bot.error().message, HasSubstr("neither nodes=N, with N from 1 on, nor time=T."));
  }
  EXPECT_THAT(read_bot("uct:time=fast").error().message, HasSubstr("'fast' is not a time"));
}

TEST(BotText, ABotsOwnBudgetTakesThePlaceOfTheOthers) {
  const BotBudget otherwise{.nodes = 10, .time = milliseconds{5}};
  const auto own = bot_of<azul::Game>(read_bot("uct:nodes=3").value(), otherwise).value();
  EXPECT_EQ(own.budget.nodes, 3U);
  EXPECT_EQ(own.budget.time, kNoTimeLimit);
  const auto none = bot_of<azul::Game>(read_bot("uct").value(), otherwise).value();
  EXPECT_EQ(none.budget.nodes, 10U);
  EXPECT_EQ(none.budget.time, milliseconds{5});
}

TEST(BotText, AStrategyThatIsNotThereIsRefused) {
  const auto texts = read_bots("random,greedy").value();
  const auto bots = bots_of<g2048::Game>(texts, kDefaultBotBudget);
  ASSERT_FALSE(bots.has_value());
  EXPECT_THAT(bots.error().message, HasSubstr("There is no strategy greedy for 2048; there are"));
}

TEST(BotText, ARemoteBotHasANameThatCanBeOffered) {
  for (const char* bots :
       {"ext/a,random", "random,ext/my-bot-2", "ext/123456789012345678901234,safe"}) {
    EXPECT_TRUE(check_bots(read_bots(bots).value(), 2).has_value()) << bots;
  }
  for (const char* bots : {"ext/My_Bot,random", "random,ext/", "ext/1234567890123456789012345,safe",
                           "ext/a b,safe", "ext/ext/a,safe"}) {
    const auto checked = check_bots(read_bots(bots).value(), 2);
    ASSERT_FALSE(checked.has_value()) << bots;
    EXPECT_THAT(checked.error().message,
                HasSubstr("cannot be offered: after ext/ stand 1 to 24 of the letters a to z"));
  }
}

}  // namespace bot_text_test
}  // namespace tesela::cli
