import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

// Where `grognard serve` listens unless told otherwise.
const SERVER = 'http://127.0.0.1:8642';

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  base: '/',
  build: {
    // The Python package carries the built client and serves it.
    outDir: '../src/grognard/server/client',
    emptyOutDir: true,
    target: 'es2022',
    // The server's Content-Security-Policy allows no inline script or asset.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The drawings of all NATO symbols are one library, loaded with the first map and kept.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: [{ name: 'symbols', test: /milsymbol/ }] } },
    },
  },
  server: { proxy: { '/api': { target: SERVER, ws: true, changeOrigin: true } } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    restoreMocks: true,
    // How long a test may take: on a busy machine seconds tell nothing about what it proves.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
