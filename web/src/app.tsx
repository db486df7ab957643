import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { isHub } from './api/hub-address.ts'
import { useTokenState } from './api/token.ts'
import { useAnswer } from './api/use-answer.ts'
import { VaultAnswer } from './api/vault.ts'
import { ConnectionBar } from './frame/connection-bar.tsx'
import { Navigation, type Panel } from './frame/navigation.tsx'
import { useAutoUpkeep } from './frame/upkeep.ts'
import { ViewBoundary } from './frame/view-boundary.tsx'
import { LanguageProvider, useWords } from './language/language.tsx'
import { preloadable } from './preload.ts'
import { goTo, linkTo, parseViewLocation, useViewLocation } from './router.ts'
import { Toasts } from './ui/toasts.tsx'
import { useHotkeys } from './ui/use-hotkeys.ts'
import { SHOWN_VIEWS } from './views.ts'
import { frameWords } from './words.ts'

// None is needed for the first paint. The palette is preloaded soon after it, so that keys typed after Ctrl K are not lost.
const PALETTE = preloadable(async () => ({ default: (await import('./frame/palette.tsx')).Palette }))
const Palette = PALETTE.component
const KeysDialog = lazy(async () => ({ default: (await import('./frame/keys-dialog.tsx')).KeysDialog }))
const UpkeepDialog = lazy(async () => ({ default: (await import('./frame/upkeep-dialog.tsx')).UpkeepDialog }))
const HubPage = preloadable(async () => ({
  default: (await import('./hub/hub-page.tsx')).HubPage,
})).component
const TokenDialog = lazy(async () => ({ default: (await import('./frame/token-dialog.tsx')).TokenDialog }))

export function App() {
  return <LanguageProvider>{isHub ? <HubPage frame={<Frame />} /> : <Frame />}</LanguageProvider>
}

/** The frame around every view: navigation, toasts, and the dialogs that belong to no view. */
function Frame() {
  const words = useWords(frameWords)
  const { view } = useViewLocation()
  const [panel, setPanel] = useState<Panel>()
  const vault = useAnswer('vault', {})
  const data = vault.state === 'loading' ? undefined : vault.data
  const shown = SHOWN_VIEWS.find(({ name }) => name === view)
  const title = shown === undefined ? words.notFound : words[shown.name]
  useEffect(() => {
    document.title = [title, data?.name, 'Cairn'].filter(part => part !== undefined).join(' – ')
  }, [title, data?.name])
  useEffect(() => {
    const timer = setTimeout(PALETTE.load, 1_000)
    return () => clearTimeout(timer)
  }, [])
  // A hub runs upkeep itself.
  useAutoUpkeep(!isHub && data !== undefined && data.standing !== 'none')
  useHotkeys({
    'mod+k': () => setPanel(open => (open === 'palette' ? undefined : 'palette')),
    '?': () => setPanel('keys'),
    '/': focusSearch,
    ...Object.fromEntries(SHOWN_VIEWS.map(({ name, key }) => [`g ${key}`, () => goTo(name)])),
  })
  return (
    <div className="frame">
      <button type="button" className="skip" onClick={() => document.getElementById('content')?.focus()}>
        {words.skip}
      </button>
      <Navigation shown={shown?.name} vault={data} onOpen={setPanel} />
      <div className="content">
        <ConnectionBar />
        <VaultAnswer value={vault}>
          <Content view={view} />
        </VaultAnswer>
      </div>
      <Toasts />
      <Panels panel={panel} onOpen={setPanel} onClose={() => setPanel(undefined)} />
    </div>
  )
}

function Content({ view }: { readonly view: string }) {
  const words = useWords(frameWords)
  const main = useRef<HTMLElement>(null)
  const before = useRef(view)
  useEffect(() => {
    if (before.current === view) return
    before.current = view
    // Moves the focus so that screen readers announce the new view, unless the view has set the focus itself.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [view])
  const Shown = SHOWN_VIEWS.find(({ name }) => name === view)?.component
  return (
    <main id="content" ref={main} tabIndex={-1}>
      {Shown === undefined ? (
        <NotFound view={view} />
      ) : (
        <ViewBoundary key={view} words={words}>
          <Suspense fallback={<p className="soft">{words.loading}</p>}>
            <Shown />
          </Suspense>
        </ViewBoundary>
      )}
    </main>
  )
}

function NotFound({ view }: { readonly view: string }) {
  const words = useWords(frameWords)
  return (
    <section className="panel stack">
      <h1>{words.notFound}</h1>
      <p>
        {words.notFoundHint} <code>{view}</code>
      </p>
      <p>
        <a href={linkTo('vault')}>{words.toMemories}</a>
      </p>
    </section>
  )
}

function Panels({
  panel,
  onOpen,
  onClose,
}: {
  readonly panel: Panel | undefined
  onOpen(panel: Panel): void
  onClose(): void
}) {
  const isRefused = useTokenState() === 'refused'
  return (
    // An empty dialog as fallback, so that keys typed while it loads do not reach the page.
    <Suspense fallback={<dialog open className="opening" />}>
      {!isHub && (isRefused || panel === 'token') && <TokenDialog isRefused={isRefused} onClose={onClose} />}
      {!isRefused && panel === 'palette' && <Palette onOpen={onOpen} onClose={onClose} />}
      {!isRefused && panel === 'keys' && <KeysDialog onClose={onClose} />}
      {!isRefused && panel === 'upkeep' && <UpkeepDialog onClose={onClose} />}
    </Suspense>
  )
}

/** The view may still be loading. */
const PATIENCE_MS = 3_000

/** Moves the cursor to the search of the Memories view, from any view. */
function focusSearch(): void {
  if (parseViewLocation(location.hash).view !== 'vault') goTo('vault')
  const until = performance.now() + PATIENCE_MS
  const variant = () => {
    const field = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (field !== null && parseViewLocation(location.hash).view === 'vault') {
      field.focus()
      field.select()
    } else if (performance.now() < until) requestAnimationFrame(variant)
  }
  variant()
}
