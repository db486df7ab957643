import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { isHub, useMay } from '../api/hub.ts'
import { LANGUAGES, useLanguage, useWords } from '../language/language.tsx'
import { goTo, linkToEntry } from '../router.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Marked } from '../ui/marked-text.tsx'
import { nextAt } from '../ui/tabs.tsx'
import { showFailure } from '../ui/toasts.tsx'
import { undoLast } from '../ui/undo-toast.ts'
import { visibleText } from '../ui/visible-text.ts'
import { SHOWN_VIEWS } from '../views.ts'
import { frameWords } from '../words.ts'
import type { Panel } from './navigation.tsx'
import { paletteWords } from './palette-words.ts'
import { setTheme, THEMES } from './theme.ts'
import { runUpkeep } from './upkeep.ts'

interface Command {
  readonly id: string
  readonly label: string
  readonly hint?: string
  run(): void
}

const LANGUAGE_NAMES = { en: 'English', pt: 'Português' } as const
/** Long enough that not every letter sends a request. */
const DEBOUNCE_MS = 150
const MAX_ENTRIES = 8

/** The command palette: opens a view, finds an entry or runs a command, by typing, arrow keys and Enter. */
export function Palette({ onClose, onOpen }: { onClose(): void; onOpen(panel: Panel): void }) {
  const words = useWords(paletteWords)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { found, isSearching } = useFound(typed)
  const commands = useCommands(onOpen).filter(({ label }) => fits(label, typed))
  const all = [...commands, ...found]
  const chosen = Math.min(at, all.length - 1)
  const list = useId()
  const options = useRef<HTMLDivElement>(null)
  useEffect(() => {
    options.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      run(all[chosen])
      return
    }
    if (!event.key.startsWith('Arrow') || event.key === 'ArrowLeft' || event.key === 'ArrowRight') return
    event.preventDefault()
    setAt(nextAt(event.key, chosen, all.length) ?? 0)
  }
  return (
    <Dialog title={words.title} onClose={onClose} className="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={all.length > 0 ? `${list}-${chosen}` : undefined}
        aria-autocomplete="list"
        aria-label={words.field}
        placeholder={words.field}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label={words.list} ref={options} tabIndex={-1}>
        {all.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
          <div
            key={command.id}
            id={`${list}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            onMouseMove={() => setAt(place)}
            onClick={() => run(command)}
          >
            <span>
              <Marked text={command.label} marks={typed.split(/\s+/)} />
            </span>
            {command.hint !== undefined && <span className="soft small">{command.hint}</span>}
          </div>
        ))}
      </div>
      <div className="soft small" role="status">
        {isSearching ? words.searching : all.length === 0 ? words.nothing : words.count(all.length)}
      </div>
    </Dialog>
  )
}

function useCommands(onOpen: (panel: Panel) => void): readonly Command[] {
  const words = useWords(paletteWords)
  const frame = useWords(frameWords)
  const { setLanguage } = useLanguage()
  const mayWrite = useMay('write')
  const mayTidy = useMay('admin')
  return [
    ...SHOWN_VIEWS.map(
      ({ name, key }): Command => ({
        id: `go-${name}`,
        label: words.goTo(frame[name]),
        hint: `g ${key}`,
        run: () => goTo(name),
      }),
    ),
    ...allowed(mayWrite, [
      { id: 'new', label: words.newEntry, run: () => goTo('vault', { new: '1' }) },
      { id: 'undo', label: words.undo, run: undoLast },
    ]),
    ...allowed(mayTidy, [
      {
        id: 'upkeep',
        label: words.upkeep,
        run: () => {
          onOpen('upkeep')
          runUpkeep({ isAsked: true }).catch(showFailure)
        },
      },
      { id: 'upkeep-log', label: words.showUpkeep, run: () => onOpen('upkeep') },
    ]),
    ...THEMES.map(
      (theme): Command => ({
        id: `theme-${theme}`,
        label: words.theme(frame.themes[theme] ?? theme),
        run: () => setTheme(theme),
      }),
    ),
    ...LANGUAGES.map(
      (language): Command => ({
        id: `language-${language}`,
        label: words.language(LANGUAGE_NAMES[language]),
        run: () => setLanguage(language),
      }),
    ),
    { id: 'keys', label: words.keys, hint: '?', run: () => onOpen('keys') },
    // On a hub, another user signs in after signing out.
    ...allowed(!isHub, [{ id: 'token', label: words.token, run: () => onOpen('token') }]),
  ]
}

/** Commands that the user may not run are not listed. */
function allowed(may: boolean, commands: readonly Command[]): readonly Command[] {
  return may ? commands : []
}

/** Entries that match the typed text. */
function useFound(typed: string): { found: readonly Command[]; isSearching: boolean } {
  const words = useWords(paletteWords)
  const [found, setFound] = useState<readonly Command[]>([])
  const [isSearching, setSearching] = useState(false)
  const query = typed.trim()
  useEffect(() => {
    setFound([])
    setSearching(query.length > 1)
    if (query.length < 2) return
    const ending = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { hits } = await call(
          'search',
          { query, limit: MAX_ENTRIES, entriesOnly: true },
          { signal: ending.signal },
        )
        setFound(hits.map(hit => entryCommand(hit, words.entries)))
      } catch (error) {
        if (!ending.signal.aborted) showFailure(error)
      } finally {
        if (!ending.signal.aborted) setSearching(false)
      }
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [query, words.entries])
  return { found, isSearching }
}

function entryCommand({ id, snippet }: { id: string; snippet: string }, hint: string): Command {
  return {
    id: `entry-${id}`,
    label: visibleText(snippet.replace(/\s+/g, ' ').trim()),
    hint,
    run: () => {
      location.hash = linkToEntry(id)
    },
  }
}

/** Whether every typed word occurs in the label. */
function fits(label: string, typed: string): boolean {
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain(typed)
    .split(/\s+/)
    .every(word => plain(label).includes(word))
}
