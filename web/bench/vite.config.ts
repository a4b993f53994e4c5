/** Builds the pages for looking at and measuring the board; they are no part of the client. */
import { resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const folder = import.meta.dirname;

export default defineConfig({
  root: folder,
  base: './',
  publicDir: false,
  plugins: [svelte()],
  resolve: { alias: { $lib: resolve(folder, '../src/lib') } },
  build: {
    emptyOutDir: true,
    target: 'es2022',
    rollupOptions: { input: [resolve(folder, 'frames.html'), resolve(folder, 'board.html')] },
  },
});
