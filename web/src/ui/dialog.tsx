import { type ReactNode, useEffect, useId, useRef } from 'react'
import { type Messages, useWords } from '../language/language.tsx'
import { Button } from './button.tsx'
import { Toasts } from './toasts.tsx'

const en = { close: 'Close' }
const dialogWords: Messages<typeof en> = { en, pt: { close: 'Fechar' } }

/** A modal dialog. The browser traps the focus. Escape, × and a click outside close it, and the focus returns to the opener. */
export function Dialog({
  title,
  onClose,
  children,
  className = '',
}: {
  readonly title: string
  onClose(): void
  readonly children: ReactNode
  readonly className?: string
}) {
  const words = useWords(dialogWords)
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    if (dialog?.open === false) dialog.showModal()
    return () => {
      dialog?.close()
      // The opener may have been removed by the change.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser handles Escape.
    <dialog
      ref={ref}
      className={`dialog ${className}`.trim()}
      aria-labelledby={heading}
      onCancel={event => {
        // Otherwise the browser closes the dialog, and React cannot keep it open.
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === ref.current) onClose()
      }}
    >
      <div className="dialog-body stack">
        <h2 id={heading}>{title}</h2>
        {children}
        {/* Last, so that the focus begins with what the dialog is for. */}
        <Button variant="plain" className="close" aria-label={words.close} onClick={onClose}>
          <span aria-hidden="true">×</span>
        </Button>
      </div>
      <Toasts />
    </dialog>
  )
}
