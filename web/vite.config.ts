import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

/** The view that the page opens with is asked for together with the frame, not after it: one turn less before something is to be read. */
const FIRST_VIEW = 'views/vault/vault.tsx'

function preloadFirstView(): Plugin {
  return {
    name: 'preload-first-view',
    transformIndexHtml(_html, { bundle = {} }) {
      const first = Object.values(bundle).find(
        chunk => chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith(FIRST_VIEW),
      )
      if (first?.type !== 'chunk') return []
      const styles = [...(first.viteMetadata?.importedCss ?? [])]
      // What the frame itself is made of is in the document already.
      const entry = Object.values(bundle).find(chunk => chunk.type === 'chunk' && chunk.isEntry)
      const known = entry?.type === 'chunk' ? [entry.fileName, ...entry.imports] : []
      const link = (attrs: Record<string, string>) => ({
        tag: 'link',
        attrs: { crossorigin: '', ...attrs },
        injectTo: 'head' as const,
      })
      return [
        ...[first.fileName, ...first.imports]
          .filter(file => !known.includes(file))
          .map(file => link({ rel: 'modulepreload', href: `/${file}` })),
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
  server: { proxy: { '/api': 'http://127.0.0.1:4747' } },
})
