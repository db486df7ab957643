import { type ComponentType, createElement, lazy, useState } from 'react'

export interface Preloadable<Props> {
  readonly component: ComponentType<Props>
  /** Loads the code before the component is shown: React delays content after a fallback by 300 ms. */
  load(): Promise<unknown>
}

/** A component in its own chunk. It renders without a fallback if it was loaded before. */
export function preloadable<Props extends object>(
  fetch: () => Promise<{ default: ComponentType<Props> }>,
): Preloadable<Props> {
  // The type of `lazy` loses generic props.
  const Later = lazy(fetch) as ComponentType<Props>
  let loaded: ComponentType<Props> | undefined
  function Shown(props: Props) {
    // Chosen once, because another component in its place would reset the state.
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
