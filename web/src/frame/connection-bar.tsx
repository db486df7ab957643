import { useEffect, useState } from 'react'
import { useConnection } from '../api/live.ts'
import { useWords } from '../language/language.tsx'
import { WithCode } from '../ui/with-code.tsx'
import { frameWords } from '../words.ts'

/** A server that is started again at once is not worth a word. */
const PATIENCE_MS = 700

/** Says that the server is gone, for as long as it is; the page goes on by itself. */
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
