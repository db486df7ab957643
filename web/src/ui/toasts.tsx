import { useEffect, useId, useSyncExternalStore } from 'react'
import { ApiError } from '../api/client.ts'
import { currentLanguage, type Messages, useWords } from '../language/language.tsx'
import { oneLine, translateFailure } from '../language/server-messages.ts'
import { Button } from './button.tsx'
import { ServerDetail } from './server-message.tsx'
import { WithCode } from './with-code.tsx'

const en = { dismiss: 'Dismiss' }
const toastWords: Messages<typeof en> = { en, pt: { dismiss: 'Dispensar' } }

export interface Toast {
  readonly id: number
  readonly look: 'normal' | 'bad'
  readonly text: string
  /** What the server said, where the text does not say all of it. */
  readonly detail?: string
  /** What takes it back, or leads to where it can be seen. */
  readonly action?: { readonly label: string; run(): void }
}

/** What can be taken back, and what failed, stays longer: someone may read slowly. */
const STAYS_MS = 8_000
const STAYS_LONG_MS = 20_000
/** Older ones make room. */
const MAX_SHOWN = 4
const NONE: readonly Toast[] = []
let toasts = NONE
let nextId = 1
/** Where they can stand: on the page, and in each dialog that is open, beside which nothing is lit or can be pressed. */
let places: readonly string[] = []
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(next: readonly Toast[]): void {
  toasts = next
  notify()
}

/**
 * Says something in passing; with an action it can be taken back while it stands there. What is said again takes its own place, unless each
 * has a way back of its own. Gives what dismisses it.
 */
export function showToast(
  text: string,
  { look = 'normal', detail, action }: Partial<Omit<Toast, 'id' | 'text'>> = {},
): () => void {
  const id = nextId++
  const others = toasts.filter(
    toast =>
      toast.text !== text || toast.detail !== detail || toast.look !== look || toast.action !== undefined,
  )
  const toast = { id, text, look, ...(detail !== undefined && { detail }), ...(action && { action }) }
  show([...others, toast].slice(-MAX_SHOWN))
  setTimeout(() => dismiss(id), action === undefined && look === 'normal' ? STAYS_MS : STAYS_LONG_MS)
  return () => dismiss(id)
}

/**
 * A failure of something that was asked for, in the reader's language, and where to go from there. For want of a token the page asks in a
 * dialog, which says more.
 */
export function showFailure(error: unknown, action?: Toast['action']): void {
  if (error instanceof ApiError && error.code === 'token_missing') return
  const message =
    error instanceof ApiError
      ? translateFailure(error, currentLanguage())
      : { text: String(error), hint: '', detail: undefined }
  showToast(oneLine(message), {
    look: 'bad',
    ...(message.detail !== undefined && { detail: message.detail }),
    ...(action && { action }),
  })
}

function dismiss(id: number): void {
  show(toasts.filter(toast => toast.id !== id))
}

/** Only the place that was opened last has them. */
export function Toasts() {
  const place = useId()
  useEffect(() => {
    places = [...places, place]
    notify()
    return () => {
      places = places.filter(one => one !== place)
      notify()
    }
  }, [place])
  const shown = useSyncExternalStore(listen, () => (places.at(-1) === place ? toasts : NONE))
  const words = useWords(toastWords)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, look, detail, action }) => (
        <div key={id} className={`toast ${look}`}>
          <span>
            <WithCode text={text} />
            <ServerDetail detail={detail} />
          </span>
          {action && (
            <Button
              onClick={() => {
                action.run()
                dismiss(id)
              }}
            >
              {action.label}
            </Button>
          )}
          <Button look="plain" className="close" aria-label={words.dismiss} onClick={() => dismiss(id)}>
            <span aria-hidden="true">×</span>
          </Button>
        </div>
      ))}
    </div>
  )
}
