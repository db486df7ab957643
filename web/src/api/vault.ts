import { createContext, useContext } from 'react'
import type { Answered } from './client.ts'
import type { Answer } from './use-answer.ts'

/** The whole memory at one glance, as the frame asks for it: once for itself and for every view. */
export const VaultAnswer = createContext<Answer<Answered<'vault'>>>({ state: 'loading' })

export function useVault(): Answer<Answered<'vault'>> {
  return useContext(VaultAnswer)
}
