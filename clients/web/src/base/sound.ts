// Sounds and vibration of games, if the visitor has turned them on. Nothing is fetched but the
// synthesis, with the first sound.
import { preferences } from './preferences.svelte.js';
import type { Sound } from './synth.js';

/** What a phone does with it, in milliseconds: on, off, on … */
const VIBRATIONS: Record<Sound, number | number[]> = {
  take: 8,
  place: 12,
  merge: 15,
  clear: 25,
  turn: [30, 60, 30],
  hurry: 60,
  win: [40, 60, 40, 60, 80],
};

/** `strength`, from 0, lifts the pitch: how large a merge or a group is. */
export function sound(kind: Sound, strength = 0): void {
  if (!preferences.sound) return;
  // Browsers allow neither before the visitor has touched the page.
  if (navigator.userActivation?.hasBeenActive === false) return;
  navigator.vibrate?.(VIBRATIONS[kind]);
  import('./synth.js').then(
    ({ play }) => play(kind, strength),
    () => {}, // A game without it is as good.
  );
}
