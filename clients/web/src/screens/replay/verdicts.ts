// What an analysis found, in words, and the way from mistake to mistake.
import type { Later } from '../../gen/messages/index.js';
import { i18n } from '../../i18n/i18n.svelte.js';
import { replayWords } from '../../i18n/words.js';
import { partOf } from '../../table/measure.js';
import { proposalText, type ProposalOf } from '../../table/proposal.js';
import type { Analysis, Judged, Option } from './analysis.svelte.js';
import { GRADES } from './grades.js';
import type { Replay } from './replay.svelte.js';

/** More marks would cover each other: the worst are shown. */
const MARKS_MAX = 40;

const percent = (value: number, digits: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(i18n.language, { style: 'percent', ...digits }).format(value);

export class Verdicts {
  readonly replay: Replay;
  readonly analysis: Analysis;
  readonly words: Later['analysis'];
  readonly #proposalOf: ProposalOf;

  constructor(
    replay: Replay,
    analysis: Analysis,
    words: Later['analysis'],
    proposalOf: ProposalOf,
  ) {
    this.replay = replay;
    this.analysis = analysis;
    this.words = words;
    this.#proposalOf = proposalOf;
  }

  /** Whether there is something to show. */
  get known(): boolean {
    return this.analysis.measure !== undefined && this.analysis.count > 0;
  }

  /** The move that was played in the position that is shown. */
  get here(): Judged | undefined {
    return this.analysis.at(this.replay.at);
  }

  /** The move that would have been better there. */
  get better(): Option | undefined {
    const { grade, best } = this.here ?? {};
    return grade && best && !best[0]?.same ? best[0] : undefined;
  }

  get after(): Judged | undefined {
    return this.analysis.mistakes.find(({ position }) => position > this.replay.at);
  }

  get before(): Judged | undefined {
    return this.analysis.mistakes.findLast(({ position }) => position < this.replay.at);
  }

  /** The worst mistakes in their order. */
  get marks(): Judged[] {
    return this.analysis.mistakes
      .toSorted((a, b) => (b.lost ?? 0) - (a.lost ?? 0))
      .slice(0, MARKS_MAX)
      .toSorted((a, b) => a.position - b.position);
  }

  /** A value, or a loss, as people read it; `best`: the value of the best move of the position. */
  text(value: number, best?: number): string {
    const { analysis, words } = this;
    if (Number.isNaN(value)) return '–';
    switch (analysis.measure) {
      case 'chance':
      case 'share':
        return percent(value);
      case 'points':
        return words.points({ count: Math.round(value) });
      case 'doublings': {
        const fine = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
        return words.doublings({ value: fine.format(value) });
      }
      default:
        // A measure that means something only beside others.
        if (best !== undefined) return percent(partOf(value, best), { maximumFractionDigits: 2 });
        return analysis.peak > 0
          ? percent(value / analysis.peak, { maximumSignificantDigits: 2 })
          : '–';
    }
  }

  nameOf(seat: number): string {
    return this.replay.table.nameOf(seat) || replayWords().somebody;
  }

  /** A move in words. */
  say({ move, gain }: Option): string {
    const proposal = move && this.#proposalOf(move, gain, this.replay.table.view);
    return proposal ? proposalText(proposal) : '';
  }

  /** "2 inaccuracies, 1 mistake" of a seat. */
  tallyOf(seat: number): string {
    const counts = GRADES.flatMap((grade) => {
      const graded = this.analysis.mistakes.filter(
        (one) => one.seat === seat && one.grade === grade,
      );
      return graded.length > 0 ? [this.words.counts[grade]({ count: graded.length })] : [];
    });
    return counts.length > 0 ? i18n.list(counts) : this.words.noMistakes;
  }

  markText(judged: Judged): string {
    return this.words.mark({
      move: judged.position + 1,
      name: this.nameOf(judged.seat),
      grade: judged.grade ? this.words.grades[judged.grade] : '',
      lost: this.#lostText(judged),
    });
  }

  /** "Blunder: 20 % lost". */
  verdictOf(judged: Judged): string {
    const { grade, played, best } = judged;
    const { words } = this;
    if (grade) return words.judged({ grade: words.grades[grade], lost: this.#lostText(judged) });
    if (played.value === undefined) return words.unjudged;
    return best[0]?.same ? words.wasBest : words.fine;
  }

  /** Why there is nothing to say of the position that is shown. */
  get silence(): string {
    return this.replay.at >= this.replay.last ? this.words.ended : this.words.pending;
  }

  #lostText({ lost, best }: Judged): string {
    return this.text(lost ?? 0, best[0]?.value);
  }
}
