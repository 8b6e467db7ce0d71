// The parts of a bot's face, drawn by its name.

/** [ground, skin]: with the dark line they are told apart in both themes. */
const COLOURS = [
  ['#2660b4', '#bcd6ff'],
  ['#c8352f', '#ffd3c4'],
  ['#f0b429', '#fff3d0'],
  ['#3c8d4d', '#d6f5d2'],
  ['#7b4bb3', '#ead7ff'],
  ['#e8772e', '#ffe3c9'],
  ['#2c8a94', '#d5f3f5'],
  ['#b4436c', '#ffd9e6'],
] as const;
const LINE = '#22262e';

const ANTENNAS = ['M20 12V6M17.5 6h5', 'M15 12 12 6M25 12l3-6', 'M20 12q0-6 6-6', 'M8 18H4m28 0h4'];
const EYES = ['M15 20h.01M25 20h.01', 'M15 18.5v3M25 18.5v3', 'M13.5 20h3M23.5 20h3'];
const MOUTHS = ['M15 27q5 4 10 0', 'M15.5 27.5h9', 'M16 26.5v2m4-2v2m4-2v2', 'M17 27q3 5 6 0'];
const CORNERS = [4, 8, 11];
const HEIGHTS = [19, 22];

export interface Features {
  ground: string;
  skin: string;
  line: string;
  antenna: string;
  eyes: string;
  mouth: string;
  corner: number;
  height: number;
}

/** FNV-1a, 32 bits: names that differ by a letter look different. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) {
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash;
}

export function featuresOf(name: string): Features {
  let rest = hashOf(name);
  const pick = <Choice>(choices: readonly Choice[]): Choice => {
    const choice = choices[rest % choices.length]!;
    rest = Math.floor(rest / choices.length);
    return choice;
  };
  const [ground, skin] = pick(COLOURS);
  return {
    ground,
    skin,
    line: LINE,
    antenna: pick(ANTENNAS),
    eyes: pick(EYES),
    mouth: pick(MOUTHS),
    corner: pick(CORNERS),
    height: pick(HEIGHTS),
  };
}
