// Draws a table of 2048 on a terminal of 80 × 24 or more, with as many colours as it has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clients/cli/g2048_animation.h"
#include "clients/cli/stream_client.h"
#include "clients/cli/terminal.h"
#include "tesela/game/v1/g2048.pb.h"

namespace tesela::cli {

/// Everything the screen shows.
struct G2048Picture {
  std::string table_id;
  std::string link_url;  // for spectators
  Link link;
  bool spectating = false;
  std::uint64_t version = 0;
  game::v1::Game2048View view;  // size 0 before the first position
  std::vector<Sprite> sprites;
  std::string message;  // the last thing worth saying
};

/// One thread; the terminal outlives it.
class G2048Screen {
 public:
  explicit G2048Screen(const Terminal& terminal);

  void draw(const G2048Picture& picture);

 private:
  /// Where things are, for a size of board.
  struct Layout {
    int size;
    int tile_height;
    int tile_width;
    [[nodiscard]] int board_height() const { return size * (tile_height + 1) + 1; }
    [[nodiscard]] int board_width() const { return size * (tile_width + 1) + 1; }
  };
  static Layout layout_of(std::uint32_t size);

  void draw_title(const G2048Picture& picture);
  void draw_grid(const Layout& layout);
  void draw_sprite(const Layout& layout, const Sprite& sprite);
  void draw_side(const Layout& layout, const G2048Picture& picture);
  void draw_footer(const G2048Picture& picture);
  [[nodiscard]] unsigned link_attributes(Link::Phase phase) const;

  Terminal::Colours colours_;
};

}  // namespace tesela::cli
