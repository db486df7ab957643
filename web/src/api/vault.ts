import { createContext, useContext } from 'react'
import type { Answered } from './client.ts'
import type { Answer } from './use-answer.ts'

/** The overview of the memory, requested once for the frame and all views. */
export const VaultAnswer = createContext<Answer<Answered<'vault'>>>({ state: 'loading' })

export function useVault(): Answer<Answered<'vault'>> {
  return useContext(VaultAnswer)
}
