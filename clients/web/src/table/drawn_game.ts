// A game with what draws its tables, and a game that the page offers to begin.
import { isMessage, type DescMessage, type Message, type MessageShape } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import type { Component, Snippet } from 'svelte';
import type { Game } from './game.js';
import type { Table } from './table.svelte.js';

export interface PlayProps {
  table: Table;
  /** Makes a new table with the same configuration and goes there. */
  onAgain: () => void;
  /** What the page adds beside every game, around what the game itself has there. */
  beside: Snippet<[inner?: Snippet]>;
}

export interface DrawnGame extends Game {
  /** Fetches the renderer: it shows `table`, and plays on it when that has a seat. */
  load(): Promise<{ default: Component<PlayProps> }>;
}

/** What the form of a game's options tells the page: the configuration to ask CreateTable for. */
export interface OptionsFormExports extends Record<string, unknown> {
  config(): Any;
}

/** A game that the page offers to begin. */
export interface OfferedGame extends DrawnGame {
  /** The form in which a player chooses the options of a new game. */
  readonly OptionsForm: Component<Record<string, never>, OptionsFormExports>;
  /** What one does in it, in a sentence. */
  tagline(): string;
  /** How many play by a configuration, as a form gives it. */
  seatsOf(config: Any): number;
}

type HasView = Message & { view?: Message | undefined };

/** A game as its folder describes it. */
export interface GameDescription<Config extends DescMessage, Event extends HasView> extends Omit<
  OfferedGame,
  'messages' | 'summary' | 'seatsOf' | 'viewAfter'
> {
  readonly config: Config;
  readonly event: GenMessage<Event>;
  readonly move: DescMessage;
  readonly view: DescMessage;
  readonly gain: DescMessage;
  summary(config: MessageShape<Config>): string;
  /** How many play, in a game for several. */
  seats?(config: MessageShape<Config>): number;
}

export function gameOf<Config extends DescMessage, Event extends HasView>({
  config,
  event,
  move,
  view,
  gain,
  ...described
}: GameDescription<Config, Event>): OfferedGame {
  return {
    ...described,
    messages: [config, event, move, view, gain],
    seatsOf: (any) => {
      const message = anyUnpack(any, config);
      return (message && described.seats?.(message)) ?? described.seatsMin;
    },
    summary: (message) => (isMessage(message, config) ? described.summary(message) : ''),
    viewAfter: (body) => (isMessage(body, event) ? body.view : undefined),
  };
}
