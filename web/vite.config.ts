import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

/** Asks the first questions of the page, and holds nothing else: it runs while the rest is on its way. */
const START = fileURLToPath(new URL('src/start.ts', import.meta.url))

/**
 * What is drawn first comes in few files, all named in the document: the frame and the view that the page opens with in one, and what is
 * not ours, which changes seldom and is compiled beside it, in another. Left alone, the bundler makes a file of every part that another
 * view has in common with it.
 */
const FIRST_FILES = [
  {
    name: 'start',
    test: /web\/src\/(?:start|api\/(?:send|kept-token|hub-place))\.ts$|http\/paths\.ts$/,
    priority: 3,
  },
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/, priority: 2 },
  { name: 'first', test: /web\/src\/(?:main|views\/vault\/vault)\.tsx$/, priority: 1 },
]

function startAtOnce(): Plugin {
  return {
    name: 'start-at-once',
    transformIndexHtml(_html, { bundle }) {
      // Vite's own server loads it with the page.
      if (bundle === undefined) return []
      const start = Object.values(bundle).find(
        output => output.type === 'chunk' && output.facadeModuleId === START,
      )
      if (start === undefined) throw new Error(`${START} is in no file of its own by now`)
      return [
        {
          tag: 'script',
          attrs: {
            type: 'module',
            async: true,
            fetchpriority: 'high',
            crossorigin: '',
            src: `/${start.fileName}`,
          },
          injectTo: 'head-prepend' as const,
        },
      ]
    },
  }
}

/** Everything the page needs is in dist/web: it works offline, and no script or style stands in a document (the policy forbids it). */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [startAtOnce()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: fileURLToPath(new URL('index.html', import.meta.url)), start: START },
      output: { codeSplitting: { groups: FIRST_FILES } },
    },
  },
  // The server answers its own host and origin alone.
  server: {
    proxy: {
      '/api': {
        target: 'http://127.0.0.1:4747',
        changeOrigin: true,
        headers: { origin: 'http://127.0.0.1:4747' },
      },
    },
  },
})
