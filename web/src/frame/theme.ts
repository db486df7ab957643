import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** public/theme.js uses the same key. */
const KEY = 'cairn-theme'
const listeners = new Set<() => void>()
const systemDark = matchMedia('(prefers-color-scheme: dark)')

export function useTheme(): Theme {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => keptTheme(),
  )
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  showTheme()
  for (const listener of listeners) listener()
}

/** Follows the system theme and the other tabs while the page is open. */
export function startTheme(): void {
  showTheme()
  systemDark.addEventListener('change', showTheme)
  addEventListener('storage', ({ key }) => {
    if (key !== KEY) return
    showTheme()
    for (const listener of listeners) listener()
  })
}

function keptTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return THEMES.find(theme => theme === stored) ?? 'system'
}

function showTheme(): void {
  const theme = keptTheme()
  const isDark = theme === 'dark' || (theme === 'system' && systemDark.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
