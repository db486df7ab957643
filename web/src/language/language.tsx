import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { loadServerMessages } from './server-messages.ts'

export const LANGUAGES = ['en', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

/** The words of one part of the page, in every language: Portuguese must have exactly what English has. */
export interface Messages<Words extends Record<string, unknown>> {
  readonly en: Words
  readonly pt: { readonly [Key in keyof Words]: Words[Key] extends string ? string : Words[Key] }
}

const KEY = 'cairn-language'
const Current = createContext<{ language: Language; setLanguage(language: Language): void }>({
  language: 'en',
  setLanguage: () => undefined,
})

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, change] = useState<Language>(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    localStorage.setItem(KEY, language)
  }, [language])
  const value = useMemo(() => {
    // Without the words for what the server tells, that stays English, and the rest of the page does not.
    const setLanguage = (to: Language) => void loadServerMessages(to).finally(() => change(to))
    return { language, setLanguage }
  }, [language])
  return <Current value={value}>{children}</Current>
}

export function useLanguage() {
  return useContext(Current)
}

/** The words of a part in the language of the reader. */
export function useWords<Words extends Record<string, unknown>>(messages: Messages<Words>): Words {
  return messages[useLanguage().language] as Words
}

/** The one that was chosen before, else the browser's. */
export function firstLanguage(): Language {
  const stored = localStorage.getItem(KEY)
  if (stored === 'en' || stored === 'pt') return stored
  return navigator.language.startsWith('pt') ? 'pt' : 'en'
}

/** For what speaks outside of a component. */
export function currentLanguage(): Language {
  return document.documentElement.lang === 'pt' ? 'pt' : 'en'
}
