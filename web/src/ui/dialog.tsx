import { type ReactNode, useEffect, useId, useRef } from 'react'

/** A modal dialog: the browser keeps the focus in it, and Escape leaves it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string
  onClose(): void
  readonly children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={ref} className="dialog" aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  )
}
