#include "tests/sim/nemeses.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <random>
#include <thread>

#include "server/base/text_encoding.h"
#include "tests/sim/truth.h"

namespace tesela::sim {
namespace {

void rest(Nanos time) {
  std::this_thread::sleep_for(std::chrono::nanoseconds{time});
}

void start_again(Machine& machine) {
  while (!machine.start()) rest(kSecond / 2);
}

constexpr Nanos kTurnMax = 12 * kSecond;  // of the shortest clocks

Nanos shorter(const Fault& fault) {
  return fault.lasts / 4;
}

/// Of the machine to all others of a kind, both ways.
void cut(Node& one, Node& other) {
  Network::get().cut(one, other);
  Network::get().cut(other, one);
}
void heal(Node& one, Node& other) {
  Network::get().heal(one, other);
  Network::get().heal(other, one);
}

void slow_down(Node& one, Node& other, Nanos delay, Nanos time) {
  auto& there = Network::get().line(one, other);
  auto& back = Network::get().line(other, one);
  for (auto* line : {&there, &back}) line->delay += delay;
  rest(time);
  for (auto* line : {&there, &back}) line->delay -= delay;
}

using Happens = std::function<void(const Fault&, Cluster&)>;

void kill(const Fault& fault, Cluster& cluster) {
  Machine& machine = cluster.at(fault.machine);
  if (!machine.runs()) return;
  machine.kill();
  rest(shorter(fault));
  start_again(machine);
}

bool lives_at(const Database::LifeRow& life, Machine& machine) {
  return life.address.contains("10.0.0." + std::to_string(machine.node().number) + ":");
}

/// The one that makes the tables of searches.
void matcher(const Fault& fault, Cluster& cluster) {
  const auto holder = cluster.database().leases[store::Duty::kMatch].life;
  const auto life = cluster.database().lives.find(holder);
  for (std::size_t i = 0; i < cluster.size() && life != cluster.database().lives.end(); ++i) {
    if (!lives_at(life->second, cluster.at(i)) || !cluster.at(i).runs()) continue;
    cluster.at(i).kill();
    rest(shorter(fault));
    return start_again(cluster.at(i));
  }
}

/// The tables of a server that lives are given away behind its back, and its players come to
/// others; later it is declared dead.
void misjudge(const Fault& fault, Cluster& cluster) {
  Machine& machine = cluster.at(fault.machine);
  Database& database = cluster.database();
  const auto give_away = [&database](store::LifeId owner) {
    std::erase_if(database.owners, [owner](const auto& owned) {
      if (owned.second != owner) return false;
      Truth::get().of(base::to_text(owned.first)).misjudged = true;
      return true;
    });
  };
  for (auto& [id, life] : database.lives) {
    if (!life.alive || !lives_at(life, machine)) continue;
    give_away(id);
    Network::get().reset(machine.node(), *Kernel::active()->find_node(0));
    rest(fault.lasts);
    give_away(id);
    life.alive = false;
  }
}

void pause(const Fault& fault, Cluster& cluster) {
  Machine& machine = cluster.at(fault.machine);
  machine.pause();
  rest(fault.lasts);
  machine.go_on();
}

void roll(const Fault& /*fault*/, Cluster& cluster) {
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    if (!cluster.at(i).runs()) continue;
    cluster.at(i).stop();
    start_again(cluster.at(i));
    rest(kSecond);
  }
}

void outage(const Fault& fault, Cluster& cluster) {
  cluster.database().down = true;
  rest(fault.lasts);
  cluster.database().down = false;
}

/// The standby takes over: what was under way is unknown.
void promote(const Fault& fault, Cluster& cluster) {
  cluster.database().weather.ambiguous = 1000;
  rest(fault.lasts / 100);
  cluster.database().down = true;
  cluster.database().weather.ambiguous = 0;
  rest(shorter(fault));
  cluster.database().timeline += "+";
  cluster.database().down = false;
}

/// From the database. Some lines become slow before: more is on the way when they break.
void isolate(const Fault& fault, Cluster& cluster) {
  Node& node = cluster.at(fault.machine).node();
  if (fault.strength % 2 == 0) slow_down(node, cluster.database().node(), kSecond, 3 * kSecond);
  cut(node, cluster.database().node());
  rest(fault.lasts);
  heal(node, cluster.database().node());
}

/// What the machine sends to the database arrives, and no answer comes back.
void deafen(const Fault& fault, Cluster& cluster) {
  Node& node = cluster.at(fault.machine).node();
  Network::get().cut(cluster.database().node(), node);
  rest(fault.lasts);
  Network::get().heal(cluster.database().node(), node);
}

void sever(const Fault& fault, Cluster& cluster) {
  Node& one = cluster.at(fault.machine).node();
  Node& other = cluster.at(fault.other).node();
  const bool both = fault.strength % 2 == 0;
  // The way of a stream that one passes on to the other.
  Truth::get().may_be_late(fault.lasts + kTurnMax);
  Network::get().cut(one, other);
  if (both) Network::get().cut(other, one);
  rest(fault.lasts);
  heal(one, other);
}

/// Players and a server do not hear each other, or one of them not.
void half_open(const Fault& fault, Cluster& cluster) {
  Node& node = cluster.at(fault.machine).node();
  Node& world = *Kernel::active()->find_node(0);
  if (fault.strength % 3 != 0) Network::get().cut(node, world);
  if (fault.strength % 3 != 1) Network::get().cut(world, node);
  Truth::get().may_be_late(fault.lasts + kTurnMax);
  rest(fault.lasts);
  // What is on the way is lost with the connections, of one side before the other.
  if (fault.strength % 4 == 0) Network::get().reset(node, world);
  if (fault.strength % 4 == 1) Network::get().reset(world, node);
  heal(node, world);
}

void slow(const Fault& fault, Cluster& cluster) {
  const Nanos delay = static_cast<Nanos>(20 + fault.strength % 180) * kMillisecond;
  slow_down(cluster.at(fault.machine).node(), cluster.database().node(), delay, fault.lasts);
}

void weather(const Fault& fault, Cluster& cluster) {
  cluster.database().weather = {.refused = fault.strength % 50,
                                .ambiguous = fault.strength % 40,
                                .slow = fault.strength % 30};
  rest(fault.lasts);
  cluster.database().weather = {};
}

void wall_clock(const Fault& fault, Cluster& cluster) {
  const auto seconds = static_cast<Nanos>(fault.strength % 7200) - 3600;
  cluster.at(fault.machine).node().wall_offset = seconds * kSecond;
  rest(fault.lasts);
  cluster.at(fault.machine).node().wall_offset = 0;
}

const std::map<std::string, Happens>& all() {
  static const std::map<std::string, Happens> kAll{
      {"deafen", deafen},         {"half_open", half_open}, {"isolate", isolate}, {"kill", kill},
      {"matcher", matcher},       {"misjudge", misjudge},   {"outage", outage},   {"pause", pause},
      {"promote", promote},       {"roll", roll},           {"sever", sever},     {"slow", slow},
      {"wall_clock", wall_clock}, {"weather", weather},
  };
  return kAll;
}

}  // namespace

std::vector<std::string> kinds_of_faults() {
  std::vector<std::string> names;
  for (const auto& [name, happens] : all()) {
    if (name != "misjudge") names.push_back(name);  // which no server does to another
  }
  return names;
}

std::vector<Fault> draw_faults(std::uint64_t seed, Nanos time, Nanos every, std::size_t machines,
                               const std::vector<std::string>& kinds) {
  std::mt19937_64 random(seed ^ 0x9e3779b97f4a7c15ULL);
  const auto below = [&](Nanos bound) {
    return static_cast<Nanos>(random() % static_cast<std::uint64_t>(bound));
  };
  std::vector<Fault> faults;
  for (Nanos at = time / 10 + below(every); at < time; at += every / 2 + below(every)) {
    Fault fault{.kind = kinds[random() % kinds.size()], .at = at};
    // Shorter than a lease, and longer.
    fault.lasts = random() % 2 == 0 ? 100 * kMillisecond + below(2 * kSecond)
                                    : 3500 * kMillisecond + below(6 * kSecond);
    fault.machine = random() % machines;
    fault.other = (fault.machine + 1 + random() % (machines - 1)) % machines;
    fault.strength = random();
    faults.push_back(std::move(fault));
  }
  return faults;
}

std::string in_words(const Fault& fault) {
  char text[160];
  std::snprintf(text, sizeof text, "%8.3f s: %s of machine %zu for %.3f s",
                static_cast<double>(fault.at) / 1e9, fault.kind.c_str(), fault.machine,
                static_cast<double>(fault.lasts) / 1e9);
  return text;
}

void happen(const Fault& fault, Cluster& cluster) {
  all().at(fault.kind)(fault, cluster);
}

}  // namespace tesela::sim
