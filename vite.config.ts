import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter()],
  publicDir: 'client/site/public',
  build: {
    // The oldest browsers with `light-dark()`, on which the colour tokens rest.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // Fonts and drawings stay files: inlined, they would weigh on the first paint of every page.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { '/api': { target: process.env.TRASVIA_API ?? 'http://localhost:3000', changeOrigin: false } },
  },
});
