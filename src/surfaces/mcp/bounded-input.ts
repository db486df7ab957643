import { Transform } from 'node:stream'

/** Far above what an agent sends: a whole file in a tool call. More would only fill the memory of this process. */
export const MAX_MESSAGE_BYTES = 8 * 1_048_576
/** The two ends of a message that is dropped are stored: one of them has its id. */
const KEPT_BYTES = 300
const NEWLINE = 0x0a

export interface TooLong {
  /** The id of the request, where it could be made out. */
  readonly id: string | number | undefined
}

/**
 * The lines of an input, without those that are longer than any message should be: those are thrown away as they come, and told. What
 * reads behind it would end the whole connection instead. `beforeEnd` is waited for when the input ends, so that what was asked last is
 * still answered.
 */
export function boundedInput({
  maxBytes = MAX_MESSAGE_BYTES,
  onTooLong,
  beforeEnd,
}: {
  readonly maxBytes?: number
  readonly onTooLong: (message: TooLong) => void
  readonly beforeEnd: () => Promise<void>
}): Transform {
  let held: Buffer[] = []
  let length = 0
  let thrown: { head: Buffer; tail: Buffer } | undefined

  const take = (part: Buffer) => {
    length += part.length
    if (thrown !== undefined) {
      thrown.tail = Buffer.concat([thrown.tail, part.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES)
      return
    }
    held.push(part)
    if (length <= maxBytes) return
    const whole = Buffer.concat(held)
    held = []
    thrown = {
      head: Buffer.from(whole.subarray(0, KEPT_BYTES)),
      tail: Buffer.from(whole.subarray(-KEPT_BYTES)),
    }
  }
  const endLine = (push: (line: Buffer) => void) => {
    if (thrown === undefined) for (const part of held) push(part)
    else onTooLong({ id: idIn(thrown) })
    held = []
    length = 0
    thrown = undefined
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at + 1))
        endLine(line => this.push(line))
        from = at + 1
      }
      if (from < chunk.length) take(chunk.subarray(from))
      done()
    },
    flush(done) {
      endLine(line => this.push(line))
      beforeEnd().then(() => done(), done)
    },
  })
}

/** At the very beginning or at the very end of the message: anywhere else an id may belong to what is inside it. */
function idIn({ head, tail }: { readonly head: Buffer; readonly tail: Buffer }): string | number | undefined {
  const id = '("(?:[^"\\\\]){1,64}"|\\d{1,15})'
  const first = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?"id"\\s*:\\s*${id}\\s*,`)
  const last = new RegExp(`"id"\\s*:\\s*${id}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`)
  const found = first.exec(head.toString('utf8'))?.[1] ?? last.exec(tail.toString('utf8'))?.[1]
  return found === undefined ? undefined : (JSON.parse(found) as string | number)
}
