import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { loadServerMessages } from './server-messages.ts'

export const LANGUAGES = ['en', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

/** The texts of one part of the page in every language. Portuguese must have the same keys as English. */
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
    // If the translations of server messages fail to load, only these stay in English.
    const setLanguage = (to: Language) => void loadServerMessages(to).finally(() => change(to))
    return { language, setLanguage }
  }, [language])
  return <Current value={value}>{children}</Current>
}

export function useLanguage() {
  return useContext(Current)
}

/** The texts of a part in the user's language. */
export function useWords<Words extends Record<string, unknown>>(messages: Messages<Words>): Words {
  return messages[useLanguage().language] as Words
}

/** The language that the user chose before, otherwise the language of the browser. */
export function firstLanguage(): Language {
  const stored = localStorage.getItem(KEY)
  if (stored === 'en' || stored === 'pt') return stored
  return navigator.language.startsWith('pt') ? 'pt' : 'en'
}

/** For code outside of components. */
export function currentLanguage(): Language {
  return document.documentElement.lang === 'pt' ? 'pt' : 'en'
}
