import { Suspense } from 'react'
import { LanguageProvider, useWords } from './language/language.tsx'
import { linkTo, usePlace } from './place.ts'
import { Toasts } from './ui/toasts.tsx'
import { VIEWS } from './views.ts'
import { frameWords } from './words.ts'

export function App() {
  return (
    <LanguageProvider>
      <Frame />
    </LanguageProvider>
  )
}

/** Where one is, and where one can go. */
function Frame() {
  const words = useWords(frameWords)
  const { view } = usePlace()
  const shown = VIEWS.find(({ name }) => name === view) ?? VIEWS[0]
  if (shown === undefined) return null
  const Shown = shown.component
  return (
    <>
      <header className="bar">
        <a className="mark" href={linkTo('vault')}>
          Cairn
        </a>
        <nav aria-label={words.views}>
          {VIEWS.map(({ name }) => (
            <a key={name} href={linkTo(name)} aria-current={name === shown.name ? 'page' : undefined}>
              {words[name]}
            </a>
          ))}
        </nav>
      </header>
      <main>
        <Suspense fallback={<p>{words.loading}</p>}>
          <Shown />
        </Suspense>
      </main>
      <Toasts />
    </>
  )
}
