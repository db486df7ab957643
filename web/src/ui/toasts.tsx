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
  readonly variant: 'normal' | 'bad'
  readonly text: string
  /** The server's own message, where the text does not contain it. */
  readonly detail?: string
  /** Undoes the change, or opens the place where it is shown. */
  readonly action?: { readonly label: string; run(): void }
}

/** Toasts with an action and failures stay longer, for slow readers. */
const STAYS_MS = 8_000
const STAYS_LONG_MS = 20_000
/** Older toasts are removed. */
const MAX_SHOWN = 4
const NONE: readonly Toast[] = []
let toasts = NONE
let nextId = 1
/** The containers for toasts: the page and each open dialog, because content outside a modal dialog is inert. */
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

/** Shows a toast. A repeated text replaces the earlier toast, unless that one has an action. Returns a function that dismisses it. */
export function showToast(
  text: string,
  { variant = 'normal', detail, action }: Partial<Omit<Toast, 'id' | 'text'>> = {},
): () => void {
  const id = nextId++
  const others = toasts.filter(
    toast =>
      toast.text !== text ||
      toast.detail !== detail ||
      toast.variant !== variant ||
      toast.action !== undefined,
  )
  const toast = { id, text, variant, ...(detail !== undefined && { detail }), ...(action && { action }) }
  show([...others, toast].slice(-MAX_SHOWN))
  setTimeout(() => dismiss(id), action === undefined && variant === 'normal' ? STAYS_MS : STAYS_LONG_MS)
  return () => dismiss(id)
}

/** Shows a failure in the user's language with its next step. A missing token is skipped, because the token dialog handles it. */
export function showFailure(error: unknown, action?: Toast['action']): void {
  if (error instanceof ApiError && error.code === 'token_missing') return
  const message =
    error instanceof ApiError
      ? translateFailure(error, currentLanguage())
      : { text: String(error), hint: '', detail: undefined }
  showToast(oneLine(message), {
    variant: 'bad',
    ...(message.detail !== undefined && { detail: message.detail }),
    ...(action && { action }),
  })
}

function dismiss(id: number): void {
  show(toasts.filter(toast => toast.id !== id))
}

/** Only the container that opened last shows them. */
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
      {shown.map(({ id, text, variant, detail, action }) => (
        <div key={id} className={`toast ${variant}`}>
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
          <Button variant="plain" className="close" aria-label={words.dismiss} onClick={() => dismiss(id)}>
            <span aria-hidden="true">×</span>
          </Button>
        </div>
      ))}
    </div>
  )
}
