// Draws a result as a picture: a title, a few lines, and the boards in their colours.
import type { Picture } from '../table/picture.js';

export interface Card {
  title: string;
  lines: readonly string[];
  boards: readonly { picture: Picture; label: string }[];
}

const EDGE = 56;
/** Where the boards begin: the texts stand left of them. */
const BOARDS_LEFT = 520;
const LABEL_HEIGHT = 40;
/** Between a board's edge and its squares. */
const AROUND = 12;
/** Of the side of a square. */
const GAP = 0.1;
const FAINT = 0.22;

/** What a colour of the style sheets is on this page, in the theme of now. */
function colourReader(): { read(name: string, of: Partial<DOMStringMap>): string; end(): void } {
  const probe = document.createElement('i');
  document.body.append(probe);
  return {
    read(name, { colour, piece }) {
      for (const [key, value] of Object.entries({ colour, piece })) {
        if (value === undefined) delete probe.dataset[key];
        else probe.dataset[key] = value;
      }
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    },
    end: () => probe.remove(),
  };
}

const family = (): string => getComputedStyle(document.body).fontFamily;

type Colours = ReturnType<typeof colourReader>;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function drawPicture(draw: CanvasRenderingContext2D, picture: Picture, box: Box, colours: Colours) {
  const side = Math.min(
    (box.width - 2 * AROUND) / picture.width,
    (box.height - 2 * AROUND) / picture.height,
  );
  const left = box.x + (box.width - side * picture.width) / 2;
  const top = box.y + (box.height - side * picture.height) / 2;
  draw.fillStyle = colours.read('board', {});
  draw.beginPath();
  draw.roundRect(box.x, box.y, box.width, box.height, 16);
  draw.fill();
  for (const { x, y, colour, piece, text, faint } of picture.squares) {
    const of = {
      ...(colour === undefined ? {} : { colour: String(colour) }),
      ...(piece === undefined ? {} : { piece: String(piece) }),
    };
    const ground = piece ? 'piece' : colour ? 'tile' : 'cell';
    draw.fillStyle = colours.read(ground, of);
    draw.globalAlpha = faint ? FAINT : 1;
    const size = side * (1 - GAP);
    const [at, down] = [left + (x + GAP / 2) * side, top + (y + GAP / 2) * side];
    draw.beginPath();
    draw.roundRect(at, down, size, size, size * 0.16);
    draw.fill();
    draw.globalAlpha = 1;
    if (!text) continue;
    draw.fillStyle = colours.read('tile-text', of);
    draw.font = `600 ${(size * 1.1) / Math.max(2, text.length)}px ${family()}`;
    draw.textAlign = 'center';
    draw.textBaseline = 'middle';
    draw.fillText(text, at + size / 2, down + size / 2);
  }
}

/** So many boards beside each other, and so many rows of them. */
const columnsFor = (count: number): number => (count > 2 ? 2 : 1);

/** Words, in as many lines as they need. Returns where the next line stands. */
function write(
  draw: CanvasRenderingContext2D,
  text: string,
  { y, size, width }: { y: number; size: number; width: number },
): number {
  let line = '';
  let at = y;
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && draw.measureText(longer).width > width) {
      draw.fillText(line, EDGE, at);
      at += size * 1.25;
      line = word;
    } else line = longer;
  }
  draw.fillText(line, EDGE, at);
  return at + size * 1.25;
}

export async function drawCard(canvas: HTMLCanvasElement, { title, lines, boards }: Card) {
  await document.fonts.ready;
  const draw = canvas.getContext('2d');
  if (!draw) return;
  const { width, height } = canvas;
  const colours = colourReader();
  draw.fillStyle = colours.read('bg', {});
  draw.fillRect(0, 0, width, height);

  draw.textAlign = 'left';
  draw.textBaseline = 'alphabetic';
  draw.fillStyle = colours.read('accent', {});
  draw.font = `600 34px ${family()}`;
  draw.fillText('Tesela', EDGE, EDGE + 34);
  draw.fillStyle = colours.read('text', {});
  draw.font = `600 60px ${family()}`;
  const textWidth = BOARDS_LEFT - EDGE - 24;
  let y = write(draw, title, { y: EDGE + 130, size: 60, width: textWidth });
  draw.font = `400 38px ${family()}`;
  for (const line of lines) y = write(draw, line, { y, size: 38, width: textWidth });
  draw.fillStyle = colours.read('muted', {});
  draw.font = `400 28px ${family()}`;
  draw.fillText(location.host, EDGE, height - EDGE);

  const columns = columnsFor(boards.length);
  const rows = Math.ceil(boards.length / columns);
  const [cellWidth, cellHeight] = [
    (width - BOARDS_LEFT - EDGE) / columns,
    (height - 2 * EDGE) / Math.max(1, rows),
  ];
  boards.forEach(({ picture, label }, index) => {
    const x = BOARDS_LEFT + (index % columns) * cellWidth;
    const top = EDGE + Math.floor(index / columns) * cellHeight;
    const above = label ? LABEL_HEIGHT : 0;
    if (label) {
      draw.fillStyle = colours.read('text', {});
      draw.font = `600 26px ${family()}`;
      draw.textAlign = 'left';
      draw.textBaseline = 'alphabetic';
      draw.fillText(label, x + 8, top + 28, cellWidth - 16);
    }
    const size = { width: cellWidth - 16, height: cellHeight - above - 12 };
    drawPicture(draw, picture, { x: x + 8, y: top + above, ...size }, colours);
  });
  colours.end();
}
