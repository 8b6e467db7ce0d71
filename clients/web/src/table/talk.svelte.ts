// Talk at a table. It is stored nowhere: a returning player finds what was heard since the page was
// opened.
import { SvelteSet } from 'svelte/reactivity';
import type { Phrase, Said } from '@tesela/client/gen/play/v1/talk_pb.js';
import type { Returned, TableStream } from '@tesela/client';

/** Older lines are forgotten. */
const LINES_MAX = 200;
/** What the server takes in one's own words, in characters. */
export const TEXT_MAX = 200;

const ROOMY = '(min-width: 901px)';

export interface Line {
  readonly id: number;
  readonly seat: number;
  readonly playerId: string;
  readonly name: string;
  readonly what: Said['what'];
}

type Speaker = Pick<TableStream, 'say' | 'mute'>;

export class Talk {
  readonly #stream: Speaker;
  #lastId = 0;
  #sent = '';
  lines = $state.raw<readonly Line[]>([]);
  /** Lines of others that nobody has seen yet. */
  unread = $state(0);
  /** Whether the lines are unfolded: from the start where there is room beside the board. */
  open = $state(matchMedia(ROOMY).matches);
  /** Whether the lines are in sight. */
  inSight = $state(false);
  readonly muted = new SvelteSet<string>();
  /** Why the last thing said was not accepted, until something else is said. */
  refused = $state.raw<Returned | undefined>(undefined);
  /** What is being written. */
  draft = $state('');

  constructor(stream: Speaker) {
    this.#stream = stream;
  }

  /** Says what is written; it comes back when the server will not have it. */
  sayDraft(): void {
    const text = this.draft.trim();
    if (!text || !this.#stream.say({ what: { case: 'text', value: text } })) return;
    this.#sent = text;
    this.draft = '';
    this.refused = undefined;
  }

  sayPhrase(phrase: Phrase): void {
    if (!this.#stream.say({ what: { case: 'phrase', value: phrase } })) return;
    this.#sent = '';
    this.refused = undefined;
  }

  mute(playerId: string, muted: boolean): void {
    if (muted) this.muted.add(playerId);
    else this.muted.delete(playerId);
    this.#stream.mute(playerId, muted);
  }

  /** The lines have come into sight, or are gone from it. */
  show(inSight: boolean): void {
    this.inSight = inSight;
    if (inSight) this.unread = 0;
  }

  /** A new line has been opened: it does not know yet who is not to be heard. */
  begun(): void {
    for (const playerId of this.muted) this.#stream.mute(playerId, true);
  }

  heard({ seat, playerId, displayName: name, what }: Said, own: boolean): void {
    if (this.muted.has(playerId)) return;
    this.#lastId += 1;
    const line = { id: this.#lastId, seat, playerId, name, what };
    this.lines = [...this.lines.slice(1 - LINES_MAX), line];
    if (!own && !this.inSight) this.unread += 1;
  }

  unsaid(why: Returned): void {
    this.refused = why;
    this.draft ||= this.#sent;
    this.#sent = '';
  }
}
