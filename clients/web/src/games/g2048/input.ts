// Keys and swipes, as directions.
import { Direction } from '@tesela/client/gen/game/v1/g2048_pb.js';
import { isForBoard, isForGame } from '../../base/keys.js';

const ARROWS: Record<string, Direction> = {
  ArrowLeft: Direction.LEFT,
  ArrowRight: Direction.RIGHT,
  ArrowUp: Direction.UP,
  ArrowDown: Direction.DOWN,
};

// By place on the keyboard, so that they are under the left hand in every layout.
const LETTERS: Record<string, Direction> = {
  KeyA: Direction.LEFT,
  KeyD: Direction.RIGHT,
  KeyW: Direction.UP,
  KeyS: Direction.DOWN,
};

/** How far a finger travels, in CSS pixels, before it is a swipe. */
const SWIPE_MIN = 24;

/** The direction of a key, or undefined where the key belongs to somebody else. Letters are not
 *  the game's while a button or a field has the focus. */
export function directionOfKey(event: KeyboardEvent): Direction | undefined {
  if (!isForGame(event)) return undefined;
  return ARROWS[event.key] ?? (isForBoard(event) ? LETTERS[event.code] : undefined);
}

function directionOf(x: number, y: number): Direction | undefined {
  if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE_MIN) return undefined;
  if (Math.abs(x) > Math.abs(y)) return x < 0 ? Direction.LEFT : Direction.RIGHT;
  return y < 0 ? Direction.UP : Direction.DOWN;
}

/** Tells of each swipe over `area` as soon as its direction is clear, once a touch. */
export function onSwipe(area: HTMLElement, swiped: (direction: Direction) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let start: { id: number; x: number; y: number } | undefined;

  area.addEventListener(
    'pointerdown',
    ({ pointerId: id, clientX: x, clientY: y, isPrimary }) => {
      if (isPrimary) start = { id, x, y };
    },
    { signal },
  );
  area.addEventListener(
    'pointermove',
    (move) => {
      if (move.pointerId !== start?.id) return;
      const direction = directionOf(move.clientX - start.x, move.clientY - start.y);
      if (!direction) return;
      start = undefined;
      swiped(direction);
    },
    { signal },
  );
  const forget = () => (start = undefined);
  area.addEventListener('pointerup', forget, { signal });
  area.addEventListener('pointercancel', forget, { signal });
  return () => ended.abort();
}
