// The pages for operators and authors: a build of their own, so that the players' page has none of
// their parts. `npm run dev` serves them too.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  publicDir: false,
  resolve: { conditions: ['@tesela/source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: ['admin.html', 'explore.html'] },
  },
});
