import * as fs from 'node:fs'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export const LOG_FORMATS = ['json', 'text', 'off'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Log {
  write(level: LogLevel, event: string, fields?: LogFields): void
  /** Waits, for a limited time, until all lines are written. */
  flush(): Promise<void>
}

interface LogOptions {
  readonly format: LogFormat
  readonly level: LogLevel
  readonly now?: () => Date
  /** Where the bytes go; standard error, except in tests. */
  readonly sink?: LogSink
}

/** Writes bytes and returns how many it wrote; throws if it accepts no more. */
export type LogSink = (bytes: Uint8Array) => Promise<number>

/** The limit of the buffer for a slow reader. Beyond it, lines are dropped, and their number is logged. */
const MAX_WAITING_BYTES = 1024 * 1024
const FLUSH_MS = 500
const AGAIN_MS = 20

/** One line per event. Callers never wait for it, and if the reader is gone, only the log ends. */
export function openLog({ format, level, now = () => new Date(), sink = toStandardError }: LogOptions): Log {
  if (format === 'off') return { write: () => undefined, flush: async () => undefined }
  const least = LOG_LEVELS.indexOf(level)
  const render = format === 'json' ? jsonLine : textLine
  const queue = lineQueue(sink)
  return {
    write(lineLevel, event, fields = {}) {
      if (LOG_LEVELS.indexOf(lineLevel) < least) return
      const dropped = queue.takeDropped()
      if (dropped > 0)
        queue.add(render({ time: now(), level: 'warn', event: 'log_dropped', fields: { lines: dropped } }))
      queue.add(render({ time: now(), level: lineLevel, event, fields }))
    },
    flush: queue.flush,
  }
}

interface Line {
  readonly time: Date
  readonly level: LogLevel
  readonly event: string
  readonly fields: LogFields
}

function jsonLine({ time, level, event, fields }: Line): string {
  return `${safe(JSON.stringify({ time: time.toISOString(), level, event, ...fields }))}\n`
}

/** `2026-11-16T10:00:00.000Z info request route=search status=200`: a value that is not plain is quoted. */
function textLine({ time, level, event, fields }: Line): string {
  const told = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name}=${/^[\w.:@/+-]+$/.test(`${value}`) ? value : JSON.stringify(`${value}`)}`],
  )
  return `${safe([time.toISOString(), level, event, ...told].join(' '))}\n`
}

/** JSON escapes characters below a blank; a terminal also obeys those above 126, and some readers end a line at U+2028. */
function safe(line: string): string {
  return line.replace(
    /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function lineQueue(sink: LogSink) {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let dropped = 0
  let isOver = false
  let writing: Promise<void> | undefined
  const drain = async () => {
    while (waiting.length > 0 && !isOver) {
      const batch = Buffer.concat(waiting)
      waiting = []
      try {
        for (let at = 0; at < batch.length; ) at += await sink(batch.subarray(at))
      } catch {
        // The reader is gone. The log ends, and the server continues.
        isOver = true
      }
      bytes -= batch.length
    }
    writing = undefined
  }
  return {
    add(line: string): void {
      if (isOver) return
      const encoded = Buffer.from(line)
      if (bytes + encoded.length > MAX_WAITING_BYTES) {
        dropped++
        return
      }
      bytes += encoded.length
      waiting.push(encoded)
      writing ??= drain()
    },
    takeDropped(): number {
      if (bytes > MAX_WAITING_BYTES / 2) return 0
      const before = dropped
      dropped = 0
      return before
    },
    async flush(): Promise<void> {
      let timer: NodeJS.Timeout | undefined
      const enough = new Promise<void>(resolve => {
        timer = setTimeout(resolve, FLUSH_MS)
      })
      await Promise.race([writing, enough])
      clearTimeout(timer)
    },
  }
}

/** In another thread: `process.stderr.write` would wait for the reader of a pipe, and block the whole server. */
function toStandardError(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.write(process.stderr.fd, bytes, (error, written) => {
      if (error === null) resolve(written)
      // A non-blocking pipe whose reader is behind.
      else if (error.code === 'EAGAIN') setTimeout(() => resolve(0), AGAIN_MS).unref()
      else reject(error)
    })
  })
}
