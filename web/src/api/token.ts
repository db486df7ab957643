import { useSyncExternalStore } from 'react'
import { onToken, type TokenState, tokenState } from './token-store.ts'

export {
  readTokenFromAddress,
  setToken,
  stayReadOnly,
  stayReadOnly as signOut,
  token,
} from './token-store.ts'

export function useTokenState(): TokenState {
  return useSyncExternalStore(onToken, tokenState)
}
