import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

/** The view that the page opens with is asked for together with the frame, not after it: one turn less before something is to be read. */
const FIRST_VIEW = 'views/vault/vault.tsx'

function preloadFirstView(): Plugin {
  return {
    name: 'preload-first-view',
    transformIndexHtml(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
      /** A chunk with all that it imports, whatever that imports in turn. */
      const whole = (names: readonly (string | undefined)[]) => {
        const files = new Set(names.filter(name => name !== undefined))
        for (const file of files)
          for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(next)
        return files
      }
      const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(FIRST_VIEW))
      // What the frame itself is made of is in the document already.
      const known = whole([chunks.find(({ isEntry }) => isEntry)?.fileName])
      const files = [...whole([first?.fileName])].filter(file => !known.has(file))
      const styles = chunks
        .filter(({ fileName }) => files.includes(fileName))
        .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
      const link = (attrs: Record<string, string>) => ({
        tag: 'link',
        attrs: { crossorigin: '', ...attrs },
        injectTo: 'head' as const,
      })
      return [
        ...files.map(file => link({ rel: 'modulepreload', href: `/${file}` })),
        ...styles.map(file => link({ rel: 'preload', as: 'style', href: `/${file}` })),
      ]
    },
  }
}

/** Everything the page needs is in dist/web: it works offline, and no script or style stands in a document (the policy forbids it). */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [preloadFirstView()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
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
