import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

const server = process.env.TESELA_SERVER_URL ?? 'http://127.0.0.1:8080';

/** Names the release in the worker, so that browsers fetch the page anew with the worker. */
const namedRelease: Plugin = {
  name: 'named-release',
  apply: 'build',
  async closeBundle() {
    const [page, worker] = await Promise.all(
      ['index.html', 'sw.js'].map((file) => readFile(`dist/${file}`, 'utf8')),
    );
    const release = createHash('sha256').update(page!).digest('hex').slice(0, 12);
    await writeFile('dist/sw.js', worker!.replace("'development'", `'${release}'`));
  },
};

export default defineConfig({
  plugins: [svelte(), namedRelease],
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
