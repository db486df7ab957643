import { useSyncExternalStore } from 'react'
import { onToken, type TokenState, tokenState } from './kept-token.ts'

export { leaveReadOnly, leaveReadOnly as signOut, setToken, takeToken, token } from './kept-token.ts'

export function useTokenState(): TokenState {
  return useSyncExternalStore(onToken, tokenState)
}
