// The contract of Moderation (server/store/moderation.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "server/base/scale_limits.h"
#include "tests/server/store/contract.h"

namespace tesela::store {
namespace moderation_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr std::int64_t kNow = 1000;

class ModerationContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
  }

  template <class T>
  T wait(boost::asio::awaitable<T> call) {
    return caller().wait(std::move(call));
  }
  Moderation& moderation() { return backend().moderation(); }
  static ReportRow report(std::uint64_t id, PlayerId reporter = kBob, PlayerId player = kAda) {
    return {.id = ReportId{id},
            .reporter = reporter,
            .player = player,
            .table = TableId{100},
            .kind = ReportKind::kTalk,
            .text = "Rude",
            .created_ms = static_cast<std::int64_t>(id),
            .lines = {{.player = kAda, .at_ms = 5, .text = "Fool"},
                      {.player = kBob, .at_ms = 6, .phrase = 3}}};
  }
  Expected<void> add(ReportRow row) { return wait(moderation().add_report(std::move(row))); }
  std::vector<ReportId> listed(ReportList which, PlayerId player = {},
                               std::optional<PastCursor> after = {}) {
    std::vector<ReportId> ids;
    for (const ReportRow& row : wait(moderation().reports(which, player, after, 2)).value()) {
      ids.push_back(row.id);
    }
    return ids;
  }
  Expected<void> close(std::uint64_t id, std::int64_t at_ms = 50) {
    return wait(moderation().close_report(ReportId{id}, "Otto", "Muted", at_ms));
  }
  Expected<Acted> act(std::uint64_t id, ActKind kind, std::optional<std::int64_t> until_ms = {},
                      std::string after = {}) {
    ActRow row{.id = ActId{id},
               .player = kAda,
               .kind = kind,
               .operator_name = "Otto",
               .reason = "Insults",
               .until_ms = until_ms,
               .after = std::move(after)};
    return wait(moderation().act(std::move(row), kNow));
  }
  Expected<Acted> undo(std::uint64_t id, std::uint64_t undoes) {
    ActRow row{.id = ActId{id},
               .player = {},
               .operator_name = "Olga",
               .reason = "Sorry",
               .undoes = ActId{undoes}};
    return wait(moderation().undo(std::move(row), kNow));
  }
  static std::vector<ActId> ids_of(const std::vector<ActRow>& acts) {
    std::vector<ActId> ids;
    for (const ActRow& row : acts) ids.push_back(row.id);
    return ids;
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, ModerationContract, testing::ValuesIn(databases()), kind_name);

TEST_P(ModerationContract, AReportKeepsItsTalkAndIsOpenOnce) {
  ASSERT_TRUE(add(report(1)));
  reopen();
  EXPECT_EQ(wait(moderation().report(ReportId{1})).value(), report(1));
  EXPECT_EQ(refusal(add(report(2))), ErrorCode::kTaken);
  EXPECT_EQ(refusal(add(report(2, PlayerId{9}))), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(wait(moderation().report(ReportId{2}))), ErrorCode::kNotFound);
  ASSERT_TRUE(add(report(2, kAda, kBob)));
  ASSERT_TRUE(close(1));
  EXPECT_EQ(refusal(close(1)), ErrorCode::kStarted);
  EXPECT_EQ(refusal(close(9)), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(wait(moderation().assign_report(ReportId{1}, "Eve"))), ErrorCode::kStarted);
  ASSERT_TRUE(wait(moderation().assign_report(ReportId{2}, "Eve")));
  EXPECT_EQ(wait(moderation().report(ReportId{2}))->assignee, "Eve");
  ASSERT_TRUE(add(report(3)));
  EXPECT_THAT(listed(ReportList::kOpen), ElementsAre(ReportId{3}, ReportId{2}));
  EXPECT_THAT(listed(ReportList::kAll, {}, PastCursor{.created_ms = 3, .id = 3}),
              ElementsAre(ReportId{2}, ReportId{1}));
  EXPECT_THAT(listed(ReportList::kOfPlayer, kAda), ElementsAre(ReportId{3}, ReportId{1}));
  EXPECT_THAT(listed(ReportList::kByPlayer, kAda), ElementsAre(ReportId{2}));
}

TEST_P(ModerationContract, ClosedReportsAreDeleted) {
  ASSERT_TRUE(add(report(1)));
  ASSERT_TRUE(close(1, 50));
  ASSERT_TRUE(add(report(2)));
  EXPECT_EQ(wait(backend().removals().remove({.reports_closed_before_ms = 50}))->reports, 0);
  const auto removed = wait(backend().removals().remove({.reports_closed_before_ms = 51})).value();
  EXPECT_EQ(removed.reports, 1);
  EXPECT_EQ(removed.open_reports, 1);
  EXPECT_EQ(removed.first_open_report_ms, 2) << "when the second was made";
  EXPECT_THAT(listed(ReportList::kAll), ElementsAre(ReportId{2}));
}

TEST_P(ModerationContract, AnActHoldsUntilItsEndOrItsUndo) {
  const auto muted = act(1, ActKind::kMute, kForEver);
  ASSERT_TRUE(muted);
  EXPECT_EQ(muted->act.before, "free");
  EXPECT_EQ(muted->act.after, "muted");
  EXPECT_EQ(refusal(act(2, ActKind::kMute, kForEver)), ErrorCode::kTaken);
  ASSERT_TRUE(act(2, ActKind::kSuspend, kNow + 1));
  ASSERT_TRUE(act(3, ActKind::kWarn));
  EXPECT_THAT(ids_of(wait(moderation().acts_in_force(kNow, 10)).value()),
              ElementsAre(ActId{1}, ActId{2}));
  EXPECT_THAT(ids_of(wait(moderation().acts_in_force(kNow + 1, 10)).value()),
              ElementsAre(ActId{1}));
  const auto undone = undo(4, 1);
  ASSERT_TRUE(undone);
  EXPECT_EQ(undone->act.id, ActId{1});
  EXPECT_EQ(undone->act.undone_by, ActId{4});
  EXPECT_EQ(refusal(undo(5, 1)), ErrorCode::kTaken);
  EXPECT_EQ(refusal(undo(5, 4)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusal(undo(5, 9)), ErrorCode::kNotFound);
  reopen();
  EXPECT_THAT(ids_of(wait(moderation().acts_in_force(kNow, 10)).value()), ElementsAre(ActId{2}));
  EXPECT_EQ(wait(moderation().acts(kAda, 10))->size(), 4);
  // Each row leads to the act that it concerns, as it is now.
  const auto since = wait(moderation().acts_since(0, 10)).value();
  ASSERT_EQ(since.size(), 4);
  for (const ActRow& row : since) {
    EXPECT_EQ(row.undone_by.has_value(), row.id == ActId{1}) << row.id.value;
  }
  EXPECT_THAT(wait(moderation().acts_since(since.front().created_ms + 1, 10)).value(), IsEmpty());
  ASSERT_TRUE(act(6, ActKind::kMute, kForEver)) << "the first was undone";
}

TEST_P(ModerationContract, ABanEndsSessionsAndARenameChangesTheName) {
  ASSERT_TRUE(wait(backend().accounts().add_session(
      {.id = SessionId{1}, .player = kAda, .created_ms = 1, .seen_ms = 1}, {}, 0)));
  EXPECT_THAT(act(1, ActKind::kBan, kForEver)->sessions, ElementsAre(SessionId{1}));
  const auto renamed = act(2, ActKind::kRename, kForEver, "Player 7");
  ASSERT_TRUE(renamed);
  EXPECT_EQ(renamed->act.before, "Ada");
  EXPECT_EQ(caller().meet(kAda)->display_name, "Player 7");
  ASSERT_TRUE(undo(3, 2));
  EXPECT_EQ(caller().meet(kAda)->display_name, "Ada");
}

TEST_P(ModerationContract, ItsPlayerReadsAnActAndAnswersOnce) {
  ASSERT_TRUE(act(1, ActKind::kWarn));
  const auto see = [&](PlayerId player, std::string answer, std::int64_t at_ms) {
    return wait(moderation().see_act(player, ActId{1}, std::move(answer), at_ms));
  };
  EXPECT_EQ(refusal(see(kBob, "", 10)), ErrorCode::kNotFound);
  ASSERT_TRUE(see(kAda, "", 10));
  ASSERT_TRUE(see(kAda, "Sorry", 20));
  EXPECT_EQ(refusal(see(kAda, "Not", 30)), ErrorCode::kTaken);
  const ActRow row = wait(moderation().acts(kAda, 1))->front();
  EXPECT_EQ(row.seen_ms, 10);
  EXPECT_EQ(row.answer, "Sorry");
  EXPECT_EQ(row.answered_ms, 20);
}

TEST_P(ModerationContract, AnActOnServersIsOneOfItsKindButForAnnouncements) {
  const auto on_servers = [this](std::uint64_t id, ActKind kind) {
    ActRow row{.id = ActId{id},
               .player = {},
               .kind = kind,
               .operator_name = "Otto",
               .reason = "Works",
               .until_ms = kForEver};
    return wait(moderation().act(std::move(row), kNow));
  };
  EXPECT_EQ(on_servers(1, ActKind::kPauseSignIns)->act.after, "sign-ins paused");
  EXPECT_EQ(refusal(on_servers(2, ActKind::kPauseSignIns)), ErrorCode::kTaken);
  ASSERT_TRUE(on_servers(3, ActKind::kAnnounce));
  ASSERT_TRUE(on_servers(4, ActKind::kAnnounce));
  ASSERT_TRUE(act(5, ActKind::kMute, kForEver)) << "Ada is not the servers";
  reopen();
  const auto rows = wait(moderation().acts({}, 10)).value();
  EXPECT_THAT(ids_of(rows), UnorderedElementsAre(ActId{1}, ActId{3}, ActId{4}));
  EXPECT_EQ(rows[0].player, PlayerId{});
  EXPECT_EQ(wait(moderation().acts_in_force(kNow, 10))->size(), 4);
  EXPECT_EQ(undo(6, 1)->act.undone_by, ActId{6});
  EXPECT_EQ(refusal(undo(7, 1)), ErrorCode::kTaken);
  EXPECT_TRUE(on_servers(8, ActKind::kPauseSignIns));
}

TEST_P(ModerationContract, ErasingTakesReportsActsAndTalk) {
  constexpr PlayerId kEve{9};
  ASSERT_TRUE(caller().sign_in(kEve, "Eve"));
  ASSERT_TRUE(add(report(1)));
  ASSERT_TRUE(add(report(2, kAda, kBob)));
  ASSERT_TRUE(add(report(3, kEve, kBob)));
  ASSERT_TRUE(act(1, ActKind::kWarn));
  EXPECT_EQ(wait(moderation().lines_of(kAda, 10))->size(), 3);
  ASSERT_TRUE(wait(backend().personal_data().erase(kAda, 100, {})));
  EXPECT_THAT(listed(ReportList::kAll), ElementsAre(ReportId{3}));
  EXPECT_THAT(wait(moderation().lines_of(kAda, 10)).value(), IsEmpty());
  EXPECT_EQ(wait(moderation().report(ReportId{3}))->lines.size(), 1) << "Bob's";
  EXPECT_THAT(wait(moderation().acts(kAda, 10)).value(), IsEmpty());
  EXPECT_EQ(refusal(act(2, ActKind::kWarn)), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(add(report(4))), ErrorCode::kNotFound);
}

}  // namespace moderation_test
}  // namespace tesela::store
