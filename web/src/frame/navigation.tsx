import { lazy, Suspense, useEffect, useState } from 'react'
import type { Answered } from '../api/client.ts'
import { isHub, useMay } from '../api/hub.ts'
import { useConnection } from '../api/live.ts'
import { useTokenState } from '../api/token.ts'
import { LANGUAGES, useLanguage, useWords } from '../language/language.tsx'
import { linkTo } from '../router.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { SHOWN_VIEWS, type ViewName } from '../views.ts'
import { frameWords } from '../words.ts'
import { setTheme, THEMES, useTheme } from './theme.ts'

type Vault = Answered<'vault'>

// Only the page of a hub loads this.
const HubProject = lazy(async () => ({ default: (await import('../hub/hub-project.tsx')).HubProject }))

const LANGUAGE_NAMES = { en: 'English', pt: 'Português' } as const

export type Panel = 'palette' | 'keys' | 'upkeep' | 'token'

/** Shows the current view, the project and the links to all views: at the side on wide screens, behind a button on narrow ones. */
export function Navigation({
  shown,
  vault,
  onOpen,
}: {
  readonly shown: ViewName | undefined
  readonly vault: Vault | undefined
  onOpen(panel: Panel): void
}) {
  const words = useWords(frameWords)
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing a view closes the menu.
  useEffect(() => setOpen(false), [shown])
  const waiting: Partial<Record<ViewName, number>> = {
    review: vault?.waiting.review ?? 0,
    conflicts: vault?.waiting.conflicts ?? 0,
    freshness: vault?.waiting.stale ?? 0,
  }
  return (
    <header className="side">
      <div className="side-head">
        <a className="mark" href={linkTo('vault')}>
          <img src="/cairn.svg" alt="" width="24" height="24" />
          Cairn
        </a>
        {isHub ? (
          <Suspense>
            <HubProject />
          </Suspense>
        ) : (
          <Project vault={vault} />
        )}
        <Button
          className="menu-button"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">☰</span> {words.menu}
        </Button>
      </div>
      <div id="navigation" className={isOpen ? 'side-body open' : 'side-body'}>
        <nav aria-label={words.views}>
          <ul>
            {SHOWN_VIEWS.map(({ name }) => (
              <li key={name}>
                <a href={linkTo(name)} aria-current={name === shown ? 'page' : undefined}>
                  {words[name]}
                  {(waiting[name] ?? 0) > 0 && (
                    <span className="chip warn">
                      <span aria-hidden="true">{waiting[name]}</span>
                      <span className="unseen">{words.waiting(waiting[name] ?? 0)}</span>
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Settings onOpen={onOpen} />
      </div>
    </header>
  )
}

function Project({ vault }: { readonly vault: Vault | undefined }) {
  const words = useWords(frameWords)
  // Reserves the line, so that the links below do not move when the name arrives.
  if (vault === undefined)
    return (
      <div className="project" aria-hidden="true">
        <strong>{'\u00a0'}</strong>
      </div>
    )
  return (
    <div className="project">
      <strong title={visibleText(vault.root)}>{visibleText(vault.name)}</strong>
      {vault.standing === 'untrusted' && (
        <span className="chip warn" title={words.standingUntrustedHint}>
          {words.standingUntrusted}
        </span>
      )}
      {vault.standing === 'none' && (
        <span className="chip" title={words.standingNoneHint}>
          {words.standingNone}
        </span>
      )}
      {vault.isReadOnly && <span className="chip bad">{words.isReadOnly}</span>}
    </div>
  )
}

function Settings({ onOpen }: { onOpen(panel: Panel): void }) {
  const words = useWords(frameWords)
  const connection = useConnection()
  const tokenState = useTokenState()
  const mayTidy = useMay('admin')
  const theme = useTheme()
  const { language, setLanguage } = useLanguage()
  return (
    <div className="settings stack">
      {!isHub && tokenState !== 'present' && (
        <div className="stack small">
          <span>
            <strong>{words.readOnlyPage}.</strong> {words.readOnlyPageHint}
          </span>
          <Button onClick={() => onOpen('token')}>{words.enterToken}</Button>
        </div>
      )}
      <div className="row">
        <Button variant="plain" onClick={() => onOpen('palette')} aria-keyshortcuts="Control+K Meta+K">
          {words.commands} <kbd>Ctrl K</kbd>
        </Button>
        <Button variant="plain" onClick={() => onOpen('keys')} aria-keyshortcuts="?">
          {words.keys} <kbd>?</kbd>
        </Button>
        {mayTidy && (
          <Button variant="plain" onClick={() => onOpen('upkeep')}>
            {words.upkeep}
          </Button>
        )}
      </div>
      <Select
        label={words.theme}
        value={theme}
        choices={THEMES.map(value => ({ value, label: words.themes[value] ?? value }))}
        onChoose={setTheme}
      />
      <Select
        label={words.language}
        value={language}
        choices={LANGUAGES.map(value => ({ value, label: LANGUAGE_NAMES[value] }))}
        onChoose={setLanguage}
      />
      {connection === 'connected' && (
        <span className="soft small">
          <span aria-hidden="true">●</span> {words.connected}
        </span>
      )}
    </div>
  )
}
