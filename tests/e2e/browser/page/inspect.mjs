// The looks of the page, and what must be true of every screen in each of them.
import axe from 'axe-core';
import assert from 'node:assert/strict';
import path from 'node:path';
import { desktop, phone, shots } from './chromium.mjs';

/** Each size, theme and language, where words are longest on the narrowest screen. */
export const looks = [
  { name: 'phone-light-de', ...phone, theme: 'light', language: 'de-AT' },
  { name: 'phone-dark-es', ...phone, theme: 'dark', language: 'es-ES' },
  { name: 'desktop-light-en', ...desktop, theme: 'light', language: 'en-GB' },
];

/** axe-core finds nothing, nothing stands out sideways, and a picture is kept. */
export async function inspect(visitor, look, screen) {
  const { page } = visitor;
  await page.evaluate(() => {
    const motions = document.getAnimations();
    const finite = motions.filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
    return Promise.all(finite.map((motion) => motion.finished.catch(() => {})));
  });
  await page.screenshot({
    path: path.join(shots, `${screen}-${look.name}.png`),
  });
  assert.equal(await visitor.sidewaysScroll(), 0, `${screen} scrolls sideways`);
  if (look.isMobile) await assertFitsNarrow(visitor, look, screen);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  assert.deepEqual(found, [], `${screen}, ${look.name}`);
}

/** What does not fit, in words; for page.evaluate. Names that end with dots are none. */
export function faults() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const found =
    scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth - clientWidth}`] : [];
  for (const one of document.querySelectorAll('header *, main *, nav *, dialog[open] *')) {
    const cut = one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
    if (!cut || one.closest('.visually-hidden, svg') || !one.innerText?.trim()) continue;
    const { overflowX, textOverflow } = getComputedStyle(one);
    if (overflowX !== 'hidden' || textOverflow === 'ellipsis') continue;
    found.push(`cut: ${one.innerText.slice(0, 60)}`);
  }
  for (const field of document.querySelectorAll('label:not(:has(.visually-hidden)) select')) {
    const text = document.createRange();
    text.setStart(field.closest('label'), 0);
    text.setEndBefore(field);
    const [a, b] = [text.getBoundingClientRect(), field.getBoundingClientRect()];
    const meet =
      a.right > b.left + 1 && a.left < b.right && a.bottom > b.top + 1 && a.top < b.bottom;
    if (meet && b.width > 0) found.push(`covered: ${text.toString().trim()}`);
  }
  return found;
}

/** The narrowest phones that are still sold. */
async function assertFitsNarrow({ page }, look, screen) {
  await page.setViewportSize({ width: 320, height: 568 });
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - 320);
  assert.equal(overhang, 0, `${screen} scrolls sideways at 320 pixels`);
  await page.setViewportSize(look.viewport);
}
