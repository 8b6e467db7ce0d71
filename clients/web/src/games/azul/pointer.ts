// Tiles by mouse and finger: a tap takes them, another places them; or they are dragged to their
// line in one go.

/** How far the pointer travels, in CSS pixels, before it drags. */
const DRAG_MIN = 8;
const CARRIED_PX = 40;

export interface Hand {
  /** Somebody touched the table: whatever moves comes to its end. */
  touched(): void;
  /** Takes the offer of this number; false when it was in hand already, or is none. */
  take(index: number): boolean;
  putBack(): void;
  /** What the pointer is over: an offer, a target. */
  hover(offer: number | undefined, target: number | undefined): void;
  place(target: number): void;
  /** Tiles are carried above everything, in this element. */
  air: HTMLElement;
}

const numberOf = (element: Element | null, name: 'offer' | 'target'): number | undefined => {
  const text = element?.closest<HTMLElement>(`[data-${name}]`)?.dataset[name];
  return text === undefined ? undefined : Number(text);
};

const numberAt = (x: number, y: number, name: 'offer' | 'target'): number | undefined =>
  numberOf(document.elementFromPoint(x, y), name);

/** One press, from the first touch to the release. */
class Press {
  readonly #hand: Hand;
  readonly #from: PointerEvent;
  readonly #taken: boolean;
  #carried: HTMLElement | undefined;

  constructor(hand: Hand, from: PointerEvent, taken: boolean) {
    this.#hand = hand;
    this.#from = from;
    this.#taken = taken;
  }

  isOf(event: PointerEvent): boolean {
    return event.pointerId === this.#from.pointerId;
  }

  move({ clientX: x, clientY: y }: PointerEvent): void {
    const way = Math.hypot(x - this.#from.clientX, y - this.#from.clientY);
    if (!this.#carried && way < DRAG_MIN) return;
    this.#carried ??= this.#lift();
    this.#carried.style.transform = `translate(${x}px, ${y}px)`;
    this.#hand.hover(undefined, numberAt(x, y, 'target'));
  }

  release({ clientX: x, clientY: y }: PointerEvent): void {
    const target = numberAt(x, y, 'target');
    if (this.#carried && target !== undefined) this.#hand.place(target);
    else if (this.#carried || !this.#taken) this.#hand.putBack();
    this.drop();
  }

  drop(): void {
    this.#carried?.remove();
  }

  /** The tiles that were taken, as they look, under the pointer. */
  #lift(): HTMLElement {
    const carried = document.createElement('div');
    carried.className = 'carried';
    const { clientX, clientY } = this.#from;
    const tile = document.elementFromPoint(clientX, clientY)?.closest('[data-offer]');
    const look = tile?.querySelector('svg')?.cloneNode(true) as SVGElement | undefined;
    if (look) {
      look.style.width = look.style.height = `${CARRIED_PX}px`;
      carried.append(look);
    }
    this.#hand.air.append(carried);
    return carried;
  }
}

/** Listens over `area` until the function it returns is called. */
export function handle(area: HTMLElement, hand: Hand): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let press: Press | undefined;
  const on = (name: string, heard: (event: PointerEvent) => void, target: EventTarget = area) =>
    target.addEventListener(name, heard as EventListener, { signal });

  on('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    hand.touched();
    const offer = numberAt(event.clientX, event.clientY, 'offer');
    if (offer !== undefined) press = new Press(hand, event, hand.take(offer));
  });
  on('pointermove', (event) => press?.isOf(event) && press.move(event), window);
  on(
    'pointerup',
    (event) => {
      if (!press?.isOf(event)) return;
      press.release(event);
      press = undefined;
    },
    window,
  );
  on(
    'pointercancel',
    () => {
      press?.drop();
      press = undefined;
    },
    window,
  );
  on('pointerover', (event) => {
    if (press || event.pointerType === 'touch') return;
    const over = event.target as Element;
    hand.hover(numberOf(over, 'offer'), numberOf(over, 'target'));
  });
  on('pointerleave', () => press ?? hand.hover(undefined, undefined));
  return () => {
    press?.drop();
    ended.abort();
  };
}
