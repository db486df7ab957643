import { useEffect, useState } from 'react'
import { useConnection } from '../api/live.ts'
import { useWords } from '../language/language.tsx'
import { WithCode } from '../ui/with-code.tsx'
import { frameWords } from '../words.ts'

/** A server that restarts within this time is not reported. */
const PATIENCE_MS = 700

/** Shows that the server is unreachable. The page reconnects automatically. */
export function ConnectionBar() {
  const words = useWords(frameWords)
  const connection = useConnection()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (connection !== 'lost') return setShown(false)
    const timer = setTimeout(() => setShown(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [connection])
  return (
    <div role="status" className="connection">
      {isShown && (
        <div className="connection-bar">
          <strong>{words.lost}</strong> <WithCode text={words.lostHint} />
        </div>
      )}
    </div>
  )
}
