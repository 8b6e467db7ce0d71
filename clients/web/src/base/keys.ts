// Which keys are the game's, and which are somebody else's.

const FIELDS = 'input, select, textarea, dialog';
const CONTROLS = `${FIELDS}, button, a, summary`;

const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** False for a key that belongs to the browser (with a modifier) or to a field that is typed in. */
export const isForGame = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || isWithin(event.target, FIELDS));

/** As isForGame, and false on every control that is not of the game's own `area`: there a letter
 *  looks for a word, and Enter and Space press. */
export const isForBoard = (event: KeyboardEvent, area?: Element): boolean =>
  isForGame(event) &&
  (area?.contains(event.target as Node) === true || !isWithin(event.target, CONTROLS));
