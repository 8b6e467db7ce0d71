// Short sounds, made of tones.
export type Sound = 'take' | 'place' | 'merge' | 'clear' | 'turn' | 'hurry' | 'win';

interface Tone {
  /** Hertz, at the beginning and at the end. */
  from: number;
  to?: number;
  /** When it begins and how long it lasts, in milliseconds. */
  at?: number;
  ms: number;
  loud?: number;
  wave?: OscillatorType;
}

const SEMITONES = 12;
/** The pitch rises no further. */
const STRENGTH_MAX = 2 * SEMITONES;
const LOUD = 0.14;
/** From silence to full, so that nothing clicks. */
const ATTACK_S = 0.005;

const melody = (notes: readonly number[], everyMs: number, ms: number): Tone[] =>
  notes.map((from, index) => ({ from, at: index * everyMs, ms }));

const SOUNDS: Record<Sound, readonly Tone[]> = {
  take: [{ from: 520, to: 700, ms: 60, wave: 'triangle' }],
  place: [
    { from: 300, to: 180, ms: 90, wave: 'triangle' },
    { from: 90, to: 60, ms: 60, loud: 1.6 },
  ],
  merge: [
    { from: 262, to: 392, ms: 120 },
    { from: 524, to: 784, ms: 120, loud: 0.3 },
  ],
  clear: melody([330, 415, 494], 55, 140),
  turn: melody([659, 880], 110, 180),
  hurry: [
    { from: 880, ms: 70, wave: 'square', loud: 0.3 },
    { from: 880, at: 140, ms: 70, wave: 'square', loud: 0.3 },
  ],
  win: melody([523, 659, 784, 1047], 110, 320),
};

let context: AudioContext | undefined;

function sing(tone: Tone, lift: number, audio: AudioContext): void {
  const { from, to = from, at = 0, ms, loud = 1, wave = 'sine' } = tone;
  const begin = audio.currentTime + at / 1000;
  const end = begin + ms / 1000;
  const oscillator = new OscillatorNode(audio, { type: wave, frequency: from * lift });
  oscillator.frequency.setValueAtTime(from * lift, begin);
  oscillator.frequency.exponentialRampToValueAtTime(to * lift, end);
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(LOUD * loud, begin + ATTACK_S);
  volume.gain.exponentialRampToValueAtTime(0.0001, end);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(begin);
  oscillator.stop(end);
}

export function play(kind: Sound, strength: number): void {
  context ??= new AudioContext();
  void context.resume();
  const lift = 2 ** (Math.min(strength, STRENGTH_MAX) / SEMITONES);
  for (const tone of SOUNDS[kind]) sing(tone, lift, context);
}
