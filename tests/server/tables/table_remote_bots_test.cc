// Remote bots at a table.
#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/codec/record.h"
#include "server/games/games.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using testing::HasSubstr;

/// How a bot answers.
enum class Manner : std::uint8_t { kFirstMove, kNothing, kNonsense, kIllegal };

/// From a factory that a table of two does not have.
std::string illegal_move() {
  game::v1::AzulMove move;
  move.set_factory(8);
  move.set_colour(game::v1::AZUL_COLOUR_BLUE);
  move.set_floor(true);
  return move.SerializeAsString();
}

class TestBot : public bots::RemoteBot {
 public:
  TestBot(bots::RemoteBots& remote_bots, Manner manner)
      : remote_bots_(remote_bots), manner_(manner) {}

  void ask(const bots::RemoteRequest& request) override {
    ++asked;
    if (manner_ == Manner::kNothing) return;
    std::string move = "nonsense";
    if (manner_ == Manner::kFirstMove) move = request.position.legal_moves.at(0);
    if (manner_ == Manner::kIllegal) move = illegal_move();
    remote_bots_.answer(*this, request.id, request.position.move_type, move);
  }
  void dismiss(bots::BotRequestId /*question*/, const std::string& why) override {
    const std::lock_guard lock{mutex_};  // the remote_bots's clock may say so
    dismissed_ = why;
  }

  /// What it was told last.
  std::string dismissed() {
    const std::lock_guard lock{mutex_};
    return dismissed_;
  }
  int asked = 0;

 private:
  bots::RemoteBots& remote_bots_;
  const Manner manner_;
  std::mutex mutex_;
  std::string dismissed_;
};

class TableOutsideTest : public AzulTableTest {
 protected:
  std::shared_ptr<TestBot> offer(Manner manner, const std::string& game = "azul") {
    auto bot = std::make_shared<TestBot>(remote_bots, manner);
    finish(bots::add_bot_account(store, game, "ext/x"));
    EXPECT_TRUE(remote_bots.offer(
        {.owner = kPlayer, .game = game, .strategy = "ext/x", .description = {}}, bot));
    return bot;
  }

  /// So slow that a bot comes back in mid-game.
  static constexpr std::uint32_t kPaceMs = 30;

  /// A table of bots alone.
  Expected<store::TableRow> make_table_of(std::vector<std::string> strategies,
                                          std::uint32_t pace_ms = 0) {
    lobby::v1::TableOptions options;
    options.set_bot_pace_ms(pace_ms);
    directory::NewTable wanted{.owner = kPlayer,
                               .owner_name = "Ana",
                               .game = "azul",
                               .config = azul(static_cast<std::uint32_t>(strategies.size())),
                               .options = options,
                               .watch_only = true};
    for (auto& strategy : strategies) {
      wanted.bots.push_back(
          {.asker = kPlayer, .strategy = std::move(strategy), .seat = std::nullopt});
    }
    auto made = finish(directory.create(std::move(wanted)));
    if (made) id = made->id;
    return made;
  }

  /// The strategies that chose the moves of a seat, in order.
  std::vector<std::string> deciders(Seat seat) {
    std::vector<std::string> names;
    const auto entries = finish(store.read(id, Version{1}, 1000)).value();
    for (const auto& entry : entries) {
      const auto record = codec::decode_record(entry.record).value();
      const auto* moved = std::get_if<codec::Moved>(&record.event);
      if (moved != nullptr && moved->seat == seat) names.push_back(moved->strategy);
    }
    return names;
  }

  void wait_for_the_end() {
    wait_until([this] { return row().state == store::TableState::kOver; });
  }
};

TEST_F(TableOutsideTest, ABotPlaysAWholeGameUnderItsName) {
  const auto bot = offer(Manner::kFirstMove);
  ASSERT_TRUE(make_table_of({"ext/x", "safe"}));
  EXPECT_TRUE(bots::is_bot("azul", row().seats[0]));
  EXPECT_EQ(row().seats[0].display_name, "ext/x");
  wait_for_the_end();
  EXPECT_THAT(deciders(Seat{0}), testing::Each("ext/x"));
  EXPECT_THAT(deciders(Seat{1}), testing::Each("safe"));
  EXPECT_EQ(bot->asked, static_cast<int>(deciders(Seat{0}).size()));
  EXPECT_TRUE(finish(replayed_log()));
}

TEST_F(TableOutsideTest, TheStandInMovesForWhoPlaysNonsense) {
  const auto bot = offer(Manner::kNonsense);
  ASSERT_TRUE(make_table_of({"ext/x", "random"}));
  wait_for_the_end();
  EXPECT_THAT(deciders(Seat{0}), testing::Each("safe"));
  EXPECT_THAT(bot->dismissed(), HasSubstr("This is not a move"));
}

TEST_F(TableOutsideTest, TheStandInMovesForWhoPlaysAgainstTheRules) {
  const auto bot = offer(Manner::kIllegal);
  ASSERT_TRUE(make_table_of({"ext/x", "random"}));
  wait_for_the_end();
  EXPECT_THAT(deciders(Seat{0}), testing::Each("safe"));
  EXPECT_THAT(bot->dismissed(), HasSubstr("There is no such factory display"));
  EXPECT_EQ(metrics.remote_requests("illegal").Value(), bot->asked);
}

TEST_F(TableOutsideTest, TheStandInMovesForWhoSaysNothing) {
  const auto bot = offer(Manner::kNothing);
  ASSERT_TRUE(make_table_of({"ext/x", "random"}));
  wait_until([this] { return deciders(Seat{0}).size() > 1; });
  EXPECT_THAT(deciders(Seat{0}), testing::Each("safe"));
  EXPECT_GE(bot->asked, 2);  // each time anew
  EXPECT_EQ(bot->dismissed(), "Too late.");
}

TEST_F(TableOutsideTest, WhoLeavesIsReplacedUntilItIsBack) {
  const auto bot = offer(Manner::kNothing);
  ASSERT_TRUE(make_table_of({"ext/x", "random"}, kPaceMs));
  wait_until([&] { return bot->asked > 0; });
  remote_bots.withdraw(*bot);
  wait_until([this] { return deciders(Seat{0}).size() > 2; });
  EXPECT_THAT(deciders(Seat{0}), testing::Each("safe"));
  offer(Manner::kFirstMove);
  wait_for_the_end();
  EXPECT_EQ(deciders(Seat{0}).back(), "ext/x");
}

TEST_F(TableOutsideTest, ATableThatIsReadBackAsksTheBotAgain) {
  const auto bot = offer(Manner::kNothing);
  ASSERT_TRUE(make_table_of({"ext/x", "random"}, kPaceMs));
  wait_until([&] { return bot->asked > 0; });
  remote_bots.withdraw(*bot);
  reload();
  finish(directory.resume());
  wait_until([this] { return deciders(Seat{0}).size() > 1; });
  offer(Manner::kFirstMove);
  wait_for_the_end();
  EXPECT_EQ(deciders(Seat{0}).front(), "safe");
  EXPECT_EQ(deciders(Seat{0}).back(), "ext/x");
}

TEST_F(TableOutsideTest, ATableThatClosesDismissesItsQuestion) {
  const auto bot = offer(Manner::kNothing);
  ASSERT_TRUE(make_table_of({"ext/x", "random"}));
  wait_until([&] { return bot->asked > 0; });
  reload();
  EXPECT_THAT(bot->dismissed(), HasSubstr("no longer needs a move"));
}

TEST_F(TableOutsideTest, OnlyWhatIsOfferedIsSeated) {
  const auto early = make_table_of({"ext/x", "safe"});
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(early.error().message, HasSubstr("Nobody offers ext/x for azul now"));
  make_azul(2);
  const auto add = [&] {
    return finish(directory.apply(id, AddBot{kPlayer, "ext/x", std::nullopt}));
  };
  EXPECT_EQ(add().error().code, ErrorCode::kInvalidArgument);
  const auto start = finish(directory.apply(id, Start{.asker = kPlayer, .strategy = "ext/x"}));
  EXPECT_EQ(start.error().code, ErrorCode::kInvalidArgument);
  offer(Manner::kFirstMove);
  ASSERT_TRUE(add());
  EXPECT_EQ(row().seats[1].player, bots::account_of("azul", "ext/x"));
  EXPECT_TRUE(finish(store.player(bots::account_of("azul", "ext/x"))));
}

TEST_F(TableOutsideTest, ABotGivesHintsToo) {
  offer(Manner::kFirstMove, "2248");
  make_table("2248", std::nullopt);
  auto ana = sit_down();
  ana->outbox.clear();
  const auto hint_of = [&](const char* strategy) {
    EXPECT_TRUE(
        ana->table->post(ana->member, codec::HintRequest{.hint_id = "h", .strategy = strategy}));
    return next(*ana, [](const auto& frame) { return frame.has_hint() || frame.has_refusal(); });
  };
  EXPECT_EQ(hint_of("ext/nobody").refusal().reason(), pb::REASON_NO_SUCH_STRATEGY);
  const auto hint = hint_of("ext/x").hint();
  EXPECT_EQ(hint.strategy(), "ext/x");
  EXPECT_FALSE(hint.has_value());
  send(*ana, {.move_id = "m",
              .at_version = Version{1},
              .type = "tesela.game.v1.Game2248Move",
              .body = hint.move().value()});
  EXPECT_EQ(next(*ana, [](const auto& frame) { return frame.has_event(); }).event().version(), 2);
}

TEST_F(TableOutsideTest, ABotMayMoveForWhoHasLeft) {
  offer(Manner::kFirstMove);
  lobby::v1::TableOptions options;
  options.set_autoplay("ext/x");
  make_azul(2, options);
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(finish(directory.apply(id, FreeSeat{kPlayer, Seat{0}})));
  ASSERT_TRUE(finish(directory.apply(id, FreeSeat{kBob, Seat{1}})));
  EXPECT_FALSE(bots::is_bot("azul", row().seats[0]));
  wait_for_the_end();
  EXPECT_THAT(deciders(Seat{0}), testing::Each("ext/x"));
}

TEST(PosedPosition, ShowsLegalMovesThatItsJudgeAllows) {
  for (const games::GameEntry& entry : games::all_games()) {
    const std::string_view game = entry.name;
    const auto match = entry.start(entry.configure(nullptr)->bytes, {}).value();
    const games::BotRequest first = match->bot_request(*match->turn());
    ASSERT_FALSE(first.legal_moves.empty()) << game;
    EXPECT_LE(first.legal_moves.size(), limits::kRequestMovesMax);
    EXPECT_EQ(first.move_type, match->move_type());
    for (const std::string& move : first.legal_moves) {
      games::BotRequest posed = match->bot_request(*match->turn());
      EXPECT_EQ(posed.judge(move).value_or("refused"), move) << game;
    }
    google::protobuf::Any view;
    EXPECT_TRUE(view.ParseFromString(first.view));
    EXPECT_THAT(view.type_url(), HasSubstr("type.googleapis.com/tesela.game.v1."));
  }
}

}  // namespace
}  // namespace tesela::tables
