import { useEffect, useState } from 'react'

/** A value once it has stayed as it is for so long: what is typed is asked for when the typing rests. */
export function useDebounced<T>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the value by its content.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [key, afterMs])
  return settled
}
