import type { HookCall, HookQueue, HookQueueCursor } from '../../hosts/hooks/decide/hook-queue.ts'
import { fieldsIn, numberField, parseFields, textField } from '../../hosts/hooks/decide/payload-fields.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { isProcessAlive, ownProcessId } from '../../kernel/system/live-process.ts'
import { type MemoryPaths, placeIn } from '../../kernel/system/paths.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { WriterLock } from '../../kernel/vault/ports.ts'

/** The spool of a session that no worker stores grows no further: `cairn status` reports it. */
const MAX_BYTES = 16 * 1_048_576
const MAX_SMALL_BYTES = 65_536
const PLAIN_ID = /^[a-z0-9][a-z0-9_-]{0,79}$/
/** How often a worker renews its mark. After this much silence it is dead, and its process id may belong to another process. */
const SILENT_MS = 60_000

export function hookSpoolFolder({
  paths,
  disk,
  clock,
  turn,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  readonly turn: WriterLock
}): HookQueue {
  const folder = placeIn(paths.memory, LAYOUT.spool)
  const fileOf = (name: string, ending: 'jsonl' | 'taken' | 'cursor') => `${folder}/${name}.${ending}`
  const worker = `${folder}/worker`
  const callsFile = `${folder}/calls.json`

  const ensureFolder = () => {
    if (disk.isLink(folder)) throw throughLink(folder)
    if (disk.isFolder(folder) !== true) disk.makeFolder(folder)
  }
  const names = () =>
    disk.isLink(folder)
      ? []
      : (disk.listFolder(folder) ?? []).flatMap(item => (item.isFile() ? item.name : []))
  const small = (file: string) => {
    const read = disk.readPlain(file, MAX_SMALL_BYTES)
    return read !== undefined && read !== 'link' && read.kind === 'read'
      ? parseFields(new TextDecoder().decode(read.bytes))
      : undefined
  }
  const putSmall = (file: string, value: unknown) => {
    ensureFolder()
    const temporary = `${file}.${clock.random(2 ** 40).toString(36)}.cairn-tmp`
    try {
      disk.writeFile(temporary, new TextEncoder().encode(JSON.stringify(value)))
      disk.rename(temporary, file)
    } catch (error) {
      disk.remove(temporary)
      throw error
    }
  }

  return {
    append: async (session, lines) =>
      storing(() => {
        ensureFolder()
        const file = fileOf(nameOf(session), 'jsonl')
        const before = disk.stamp(file)?.size ?? 0
        // Starts a new line after an unfinished one, in a single write: other processes append at the same time.
        const bytes = new TextEncoder().encode(`\n${lines.join('\n')}\n`)
        if (before + bytes.length > MAX_BYTES) throw tooMuch(session)
        if (!disk.appendSoon(file, bytes)) disk.appendSoon(file, bytes)
        return { bytes: before + bytes.length }
      }),

    peek: async session =>
      storing(() =>
        (['taken', 'jsonl'] as const).flatMap(ending =>
          linesOf(wholeOf(disk, fileOf(nameOf(session), ending))),
        ),
      ),

    async waiting() {
      const found = new Map<string, number>()
      for (const name of names()) {
        const [, base] = /^(.+)\.(?:jsonl|taken)$/.exec(name) ?? []
        if (base === undefined) continue
        const at = disk.stamp(`${folder}/${name}`)?.mtimeMs ?? 0
        found.set(base, Math.min(found.get(base) ?? Number.POSITIVE_INFINITY, at))
      }
      return [...found].sort((a, b) => a[1] - b[1]).map(([name]) => name)
    },

    take: async name =>
      storing(() => {
        const taken = fileOf(name, 'taken')
        const isLeftover = disk.fileInfo(taken) !== undefined
        if (!isLeftover) {
          if (disk.fileInfo(fileOf(name, 'jsonl')) === undefined) return undefined
          disk.rename(fileOf(name, 'jsonl'), taken)
        }
        const bytes = wholeOf(disk, taken)
        return { lines: linesOf(bytes), bytes: bytes.length, isLeftover }
      }),

    finish: async (name, taken) =>
      storing(() => {
        const file = fileOf(name, 'taken')
        const more = disk.readRange(file, taken.bytes, MAX_BYTES) ?? new Uint8Array()
        if (more.length > 0)
          return { lines: linesOf(more), bytes: taken.bytes + more.length, isLeftover: taken.isLeftover }
        disk.remove(file)
        return undefined
      }),

    async readCursor(name) {
      const fields = small(fileOf(name, 'cursor')) ?? {}
      const model = textField(fields, 'model')
      const done = fieldsIn(fields, 'done') ?? {}
      const first = textField(done, 'first')
      const lines = numberField(done, 'lines')
      return {
        offsets: numbers(fieldsIn(fields, 'offsets')),
        ids: textLists(fieldsIn(fields, 'ids')),
        ahead: textLists(fieldsIn(fields, 'ahead')),
        unwritten: textLists(fields).unwritten ?? [],
        counts: numbers(fieldsIn(fields, 'counts')),
        ...(first !== undefined && lines !== undefined && { done: { first, lines } }),
        ...(model !== undefined && { model }),
      } satisfies HookQueueCursor
    },
    saveCursor: async (name, cursor) => storing(() => putSmall(fileOf(name, 'cursor'), cursor)),

    tidy: async olderThanMs =>
      storing(() => {
        const nowMs = clock.nowMs()
        for (const name of names()) {
          if (!/\.(?:cursor|cairn-tmp)$/.test(name)) continue
          const stamp = disk.stamp(`${folder}/${name}`)
          if (stamp !== undefined && nowMs - stamp.mtimeMs > olderThanMs) disk.remove(`${folder}/${name}`)
        }
      }),

    async isWorked() {
      const fields = small(worker)
      const pid = fields && numberField(fields, 'pid')
      const stamp = disk.stamp(worker)
      if (pid === undefined || stamp === undefined) return false
      return Math.abs(clock.nowMs() - stamp.mtimeMs) < SILENT_MS && isProcessAlive(pid)
    },
    mark: async () => storing(() => putSmall(worker, { pid: ownProcessId() })),
    unmark: async () =>
      storing(() => {
        const fields = small(worker)
        if (fields !== undefined && numberField(fields, 'pid') === ownProcessId()) disk.remove(worker)
      }),
    tryTurn: async () =>
      storing(() => {
        ensureFolder()
        return turn.tryAcquire()
      }),
    endTurn: async () => {
      turn.release()
      turn.close()
    },

    noteCalls: async calls =>
      storing(() => putSmall(callsFile, { ...readCalls(small(callsFile)), ...calls })),
    calls: async () => readCalls(small(callsFile)),
  }
}

/** A plain id is its own name. Every line has its session: two ids under one name would not be confused. */
function nameOf(session: string): string {
  return PLAIN_ID.test(session) ? session : `s-${fingerprint(session)}`
}

function wholeOf(disk: Disk, file: string): Uint8Array {
  const read = disk.readPlain(file, 2 * MAX_BYTES)
  if (read === 'link') throw throughLink(file)
  // A larger file is not one of ours.
  return read?.kind === 'read' ? read.bytes : new Uint8Array()
}

function linesOf(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return []
  return new TextDecoder()
    .decode(bytes)
    .split('\n')
    .filter(line => line.trim() !== '')
}

function numbers(fields: ReturnType<typeof parseFields>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).filter(
      (pair): pair is [string, number] =>
        typeof pair[1] === 'number' && Number.isSafeInteger(pair[1]) && pair[1] >= 0,
    ),
  )
}

function textLists(fields: ReturnType<typeof parseFields>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).flatMap(([file, texts]) =>
      Array.isArray(texts)
        ? [[file, texts.filter((text): text is string => typeof text === 'string')] as const]
        : [],
    ),
  )
}

function readCalls(fields: ReturnType<typeof parseFields>): Record<string, HookCall> {
  const calls: Record<string, HookCall> = {}
  for (const host of Object.keys(fields ?? {})) {
    const call = fieldsIn(fields ?? {}, host)
    const at = call && textField(call, 'at')
    if (call !== undefined && at !== undefined) calls[host] = { at, event: textField(call, 'event') ?? '' }
  }
  return calls
}

function tooMuch(session: string): CairnError {
  return new CairnError({
    code: 'store_io',
    message: `What hooks recorded of session ${session.slice(0, 80)} was not stored for too long; no more of it is recorded.`,
    hint: '`cairn status` shows why hooks fail; the next session stores it.',
  })
}

function throughLink(file: string): CairnError {
  return new CairnError({
    code: 'memory_outside_project',
    message: `${file} is a link, and Cairn does not write through a link.`,
    hint: 'Remove the link; Cairn makes the folder again.',
  })
}

function storing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asStorageError(error, 'What hooks leave behind')
  }
}
