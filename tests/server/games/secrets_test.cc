// Nothing that a player is sent tells of dice that have not fallen. Each game is played twice with
// dice that are alike up to some draw and no further: until that draw all that is sent must be the
// same, byte by byte, and so must the advice of every strategy; from it on they must part. And of
// two dice that fall alike in a move, which is found by trying many, the same frame must come.
//
// The tests fail when anything of the seed, of the dice's inner state or of a later draw gets into
// what is sent (a bag that is shuffled ahead and shown, an id made of the seed, a hint that rolls
// the table's dice): such bytes differ before the draw does. The first fails too when the dice are
// not changed at all, since then nothing parts, and the second when none are found.
#include <gtest/gtest.h>
#include <tesela/play/v1/play.pb.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/strategy/registry.h"
#include "server/games/match_of.h"
#include "tests/engine/seeds.h"
#include "tests/rounds.h"
#include "tests/server/games/all_codecs.h"

namespace tesela::codec {
namespace {

using Words = std::array<std::uint32_t, kChaChaBatchWords>;

// Rng does not expose its state, and shall not for a test: only the arguments of an
// explicit instantiation may name what is private.
Words& words_of(Rng& dice);
ChaChaKey& key_of(Rng& dice);
std::size_t& next_of(Rng& dice);
template <auto kWords, auto kKey, auto kNext>
struct OpenedDice {
  friend Words& words_of(Rng& dice) { return dice.*kWords; }
  friend ChaChaKey& key_of(Rng& dice) { return dice.*kKey; }
  friend std::size_t& next_of(Rng& dice) { return dice.*kNext; }
};
template struct OpenedDice<&Rng::words_, &Rng::key_, &Rng::next_>;

/// The dice of seed `number` for `kept` words, and those of another seed from there on.
Rng parting_dice(std::uint64_t number, std::uint64_t kept) {
  Rng dice = test::dice(number);
  Rng other = test::dice(number + 1'000'000);
  for (Rng* rng : {&dice, &other}) static_cast<void>(rng->word());  // the first words are made
  std::ranges::copy(words_of(other).begin() + static_cast<std::ptrdiff_t>(kept),
                    words_of(other).end(),
                    words_of(dice).begin() + static_cast<std::ptrdiff_t>(kept));
  key_of(dice) = key_of(other);
  next_of(dice) = 0;
  return dice;
}

constexpr std::size_t kMovesMax = 80;
constexpr std::uint64_t kTriesMax = 2000;

template <class Codec>
class Secrets : public ::testing::Test {
 protected:
  using G = typename Codec::Game;
  using Config = typename G::Config;
  using Move = typename G::Move;
  using State = typename G::State;

  /// The frames that were sent at each version, and the words drawn until then.
  struct Story {
    std::vector<std::string> told;
    std::vector<std::uint64_t> drawn;
    std::vector<Move> moves;
  };

  /// What strategies say of a position, by dice of their own.
  static std::string advice_on(const games::Match& match) {
    std::string all;
    if (!match.turn()) return all;
    for (const auto& registered : strategies<G>()) {
      Rng own = test::dice(7);
      auto think = match.hint_task(registered.description.name, *match.turn(), 3);
      const auto advice = think.value()(own, {.nodes = 20});
      all += advice.strategy + advice.move + std::to_string(advice.value.value_or(0));
      for (const auto& other : advice.others) {
        all += other.move + std::to_string(other.value.value_or(0));
      }
    }
    return all;
  }

  /// What a table with these dice has to say of a position.
  static std::string shown(const State& state, const Rng& dice) {
    const games::MatchOf<Codec> match(state, dice.place());
    return match.snapshot(Version{2}, 2, {}, {}) + std::to_string(match.digest()) +
           advice_on(match);
  }

  static Move any_move(const State& state, Rng& choices) {
    std::vector<Move> legal;
    G::legal_moves(state, *G::turn(state), [&](const Move& move) { legal.push_back(move); });
    return legal[choices.uniform(static_cast<std::uint32_t>(legal.size()))];
  }

  static std::string bytes_of(const Move& move) { return games::encoded<Codec>(move); }

  /// Plays `script`, or without one any moves, to their end or until one is not legal.
  static Story play(const Config& config, Rng dice, const std::vector<Move>* script) {
    Story story;
    State state = G::start(config, dice).value();
    Rng choices = test::dice(5);
    story.told.push_back(shown(state, dice));
    story.drawn.push_back(dice.consumed());
    while (story.moves.size() < kMovesMax && G::turn(state)) {
      if (script != nullptr && story.moves.size() == script->size()) break;
      const Move move =
          script != nullptr ? (*script)[story.moves.size()] : any_move(state, choices);
      std::vector<typename G::Stage> stages;
      const auto after = G::apply(state, *G::turn(state), move, dice, CollectStages{stages});
      if (!after) break;
      state = *after;
      base::WireWriter event;
      games::write_event<Codec>(move, stages, state, event);
      story.moves.push_back(move);
      story.told.push_back(event.take() + shown(state, dice));
      story.drawn.push_back(dice.consumed());
    }
    return story;
  }

  /// The first version that is not alike; as many as there are when all are.
  static std::size_t parting_of(const Story& a, const Story& b) {
    const auto [in_a, in_b] = std::ranges::mismatch(a.told, b.told);
    return static_cast<std::size_t>(in_a - a.told.begin());
  }

  static Config usual() { return Codec::read(typename Codec::ConfigMessage{}).value(); }
};

TYPED_TEST_SUITE(Secrets, test::AllCodecs);

TYPED_TEST(Secrets, NothingIsToldOfDiceThatHaveNotFallen) {
  const auto config = TestFixture::usual();
  std::size_t parted = 0;
  std::size_t partings = 0;
  for (const std::uint64_t number : {1U, 2U, 3U}) {
    const auto story = TestFixture::play(config, test::dice(number), nullptr);
    ASSERT_LE(story.drawn.back(), kChaChaBatchWords) << "only these can be exchanged";
    std::vector<std::uint64_t> kept = story.drawn;
    kept.insert(kept.begin(), {0, story.drawn.front() / 2});
    kept.erase(std::ranges::unique(kept).begin(), kept.end());
    // Under a sanitizer not each draw of a long game, which is played anew for each one.
    const std::size_t step = kept.size() > 40 ? kept.size() / test::rounds(kept.size()) : 1;
    for (std::size_t i = 0; i < kept.size(); i += step) {
      const std::uint64_t words = kept[i];
      const auto other = TestFixture::play(config, parting_dice(number, words), &story.moves);
      const auto fallen = std::ranges::upper_bound(story.drawn, words) - story.drawn.begin();
      const auto at = TestFixture::parting_of(story, other);
      ASSERT_GE(at, static_cast<std::size_t>(fallen))
          << "of seed " << number << " something after word " << words << " was told at version "
          << at + 1;
      if (words == story.drawn.back()) continue;  // no more dice fall
      ++partings;
      if (at < story.told.size()) ++parted;
    }
  }
  // Other dice may show the same, which happens among the last draws of a game.
  ASSERT_GE(partings, 6U);
  EXPECT_GE(parted * 10, partings * 9);
}

TYPED_TEST(Secrets, TheSameDiceTellTheSame) {
  const auto config = TestFixture::usual();
  const auto story = TestFixture::play(config, test::dice(4), nullptr);
  const auto again = TestFixture::play(config, parting_dice(4, kChaChaBatchWords), &story.moves);
  EXPECT_EQ(story.told, again.told);
  EXPECT_GE(story.moves.size(), 10U);
}

TYPED_TEST(Secrets, OfDiceThatFallAlikeComeTheSameFrames) {
  using G = typename TypeParam::Game;
  Rng dice = test::dice(1);
  auto state = G::start(TestFixture::usual(), dice).value();
  Rng choices = test::dice(5);
  std::size_t moves = 0;
  std::size_t found = 0;
  for (; moves < kMovesMax && G::turn(state); ++moves) {
    const auto move = TestFixture::any_move(state, choices);
    const std::string bytes = TestFixture::bytes_of(move);
    const games::Stamp stamp{.version = Version{2},
                             .at = base::Moment::logged(2),
                             .seat = *G::turn(state),
                             .move_id = "m"};
    games::MatchOf<TypeParam> match(state, dice.place());
    const auto played = match.play(stamp, bytes, games::Want::kFrame).value();
    for (std::uint64_t number = 0; number < kTriesMax; ++number) {
      games::MatchOf<TypeParam> other(state, test::dice(1'000'000 + number).place());
      if (other.play(stamp, bytes, games::Want::kPosition).value().digest != played.digest) {
        continue;
      }
      ++found;
      ASSERT_EQ(other.play(stamp, bytes, games::Want::kFrame).value().frame, played.frame)
          << "of move " << moves + 1;
      break;
    }
    state = G::apply(state, *G::turn(state), move, dice, NoStages{}).value();
  }
  // The tiles of a whole round of Azul never fall alike.
  ASSERT_GE(moves, 10U);
  EXPECT_GE(found * 2, moves);
}

}  // namespace
}  // namespace tesela::codec
