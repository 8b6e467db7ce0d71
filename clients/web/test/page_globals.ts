// What modules of the page find in a browser, and after Svelte's compiler: values that are read
// once, and nothing that changes.
const same = <T>(value: T): T => value;

Object.assign(globalThis, {
  $state: Object.assign(same, { raw: same }),
  $derived: same,
  document: { documentElement: {} },
});
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });
