import type { ReactNode } from 'react'
import { type Messages, useWords } from '../language/language.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

const en = { cancel: 'Cancel' }
const confirmWords: Messages<typeof en> = { en, pt: { cancel: 'Cancelar' } }

/** Asks before an action that is hard to undo. Actions that can be undone do not ask. */
export function ConfirmDialog({
  title,
  children,
  action,
  isDanger = false,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly children?: ReactNode
  /** The label of the button: the verb of the action. */
  readonly action: string
  readonly isDanger?: boolean
  onConfirm(): void
  onClose(): void
}) {
  const words = useWords(confirmWords)
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="row end">
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
