// Cuts a page's stream where a test wants it cut. The server sees a client that is gone, the page a
// line that has dropped.

/** Gives the page scissors; before its first visit. */
export const giveScissors = (page) =>
  page.addInitScript(() => {
    const moveTag = 0x12; // ClientFrame.move
    globalThis.scissors = { move: undefined, away: false, cuts: 0 };
    globalThis.WebSocket = class extends WebSocket {
      constructor(url, names) {
        super(scissors.away ? url.replace(/stream$/, 'no-way-in') : url, names);
        scissors.line = this;
      }

      send(data) {
        const when = data[0] === moveTag ? scissors.move : undefined;
        if (when !== 'before') super.send(data);
        if (!when) return;
        scissors.move = undefined;
        scissors.cuts += 1;
        this.close();
      }
    };
  });

/** The next move ends the line: 'before' it is sent, or 'after'. */
export const cutAtMove = (page, when) => page.evaluate((when) => (scissors.move = when), when);

/** Ends the line now. */
export const cut = (page) => page.evaluate(() => scissors.line.close());

/** How often a move has ended the line. */
export const cutsOf = (page) => page.evaluate(() => scissors.cuts);

/** While the page is away, no new line gets through. */
export const setAway = (page, away) => page.evaluate((away) => (scissors.away = away), away);
