/** How Vite builds the pages: terminal, account, competitions and the operator's desk. */
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const PAGES = ['index.html', 'account.html', 'competition.html', 'ops.html'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, '../dist-ui'),
    emptyOutDir: true,
    target: 'es2024',
    modulePreload: { polyfill: false },
    // The policy of the pages allows files of this origin only, no data: or inlined code.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: PAGES.map((page) => resolve(import.meta.dirname, page)),
    },
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8787',
      '/people': 'http://127.0.0.1:8787',
      '/competition/': 'http://127.0.0.1:8787',
      '/admin': 'http://127.0.0.1:8787',
      '/ui/': 'http://127.0.0.1:8787',
      '/metrics': 'http://127.0.0.1:8787',
      '/spot/v1/stream': { target: 'ws://127.0.0.1:8787', ws: true },
      '/ws/v1': { target: 'ws://127.0.0.1:8787', ws: true },
    },
  },
});
