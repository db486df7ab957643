import { type ComponentType, createElement, lazy, useState } from 'react'

export interface Preloadable<Props> {
  readonly component: ComponentType<Props>
  /** Its code, before it is shown: React holds what comes after a fallback back for 300 ms. */
  load(): Promise<unknown>
}

/** A chunk of its own, which is there at once when it was loaded before it is shown. */
export function preloadable<Props extends object>(
  fetch: () => Promise<{ default: ComponentType<Props> }>,
): Preloadable<Props> {
  // React's own type of it loses the props when they are a parameter.
  const Later = lazy(fetch) as ComponentType<Props>
  let loaded: ComponentType<Props> | undefined
  function Shown(props: Props) {
    // Chosen once: another component in its place would begin anew.
    const [Chosen] = useState(() => loaded ?? Later)
    return createElement(Chosen, props)
  }
  return {
    component: Shown,
    async load() {
      loaded = (await fetch()).default
    },
  }
}
