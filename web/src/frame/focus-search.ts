import { goTo, parseViewLocation } from '../router.ts'

/** The view and its answers may take a moment to be there. */
const PATIENCE_MS = 3_000

/** Puts the cursor into the search of the memories, from wherever one is. */
export function focusSearch(): void {
  if (parseViewLocation(location.hash).view !== 'vault') goTo('vault')
  const until = performance.now() + PATIENCE_MS
  const look = () => {
    const field = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (field !== null && parseViewLocation(location.hash).view === 'vault') {
      field.focus()
      field.select()
    } else if (performance.now() < until) requestAnimationFrame(look)
  }
  look()
}
