import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defineConfig } from 'vite';

const server = process.env.TESELA_SERVER_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte()],
  // @tesela/client is built with the page, from its source.
  resolve: { conditions: ['@tesela/source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // The content security policy knows no data: URLs, and every browser we serve preloads modules.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Small parts that several screens share come together: each request costs more than they do.
    rollupOptions: { output: { experimentalMinChunkSize: 8000 } },
  },
  server: {
    proxy: {
      '/v1': { target: server, ws: true },
      '/tesela.': { target: server },
      '/metrics': { target: server },
    },
  },
});
