import { isUtf8 } from 'node:buffer'
import { LAYOUT } from '../../kernel/layout.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { isEntryFile, parseVaultPath } from '../../kernel/model/vault-layout.ts'
import { parseVaultFile } from '../../kernel/vault/vault-file.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { StatePorts } from '../state/decide/ports.ts'
import type { UpkeepPorts } from '../upkeep/decide/ports.ts'
import { inMemory, type Severity, type ValidationFinding } from './decide/finding.ts'
import { type JsonReading, readJson, textOf } from './decide/json-text.ts'
import { type EventsSeen, judgeEventLines } from './decide/judge-logs.ts'
import type { VaultFileView } from './decide/judge-vault.ts'
import type { CheckedWorkspaces, GitPorts, MendPorts, OpenTree, TreeItem } from './decide/ports.ts'

/** Far more than any file of Cairn; a larger file is reported and not read. */
const MAX_DOCUMENT_BYTES = 32 * 1_048_576
export const MAX_LOG_BYTES = 256 * 1_048_576
const MAX_VAULT_BYTES = 64 * 1_048_576

/** The input of the checks. Every file is read and parsed once, when the first check needs it. */
export interface ValidationRun {
  readonly memory: Memory &
    Partial<GitPorts> &
    Partial<MendPorts> &
    SessionPorts &
    UpkeepPorts &
    StatePorts &
    CheckedWorkspaces
  readonly isDeep: boolean
  readonly nowMs: number
  readonly config: Config
  readonly items: readonly TreeItem[]
  has(path: string): boolean
  /** undefined: absent, or reported as a finding because it cannot be read. */
  bytes(path: string, maxBytes: number): Uint8Array | undefined
  json(path: string): JsonReading | undefined
  vault(): readonly VaultFileView[]
  entryIds(): ReadonlySet<string>
  /** undefined: the log does not exist. */
  events(): EventsSeen | undefined
  add(findings: readonly ValidationFinding[]): void
  /** Reports what was not checked, and why. */
  skip(what: string, why: string): void
}

/** One check of a part of the memory, in checks.ts. */
export type ValidationCheck = (run: ValidationRun) => Promise<void>

export interface RunOptions {
  readonly memory: Memory & SessionPorts & UpkeepPorts & StatePorts & CheckedWorkspaces
  readonly tree: OpenTree
  readonly config: Config
  readonly isDeep: boolean
  readonly nowMs: number
  readonly findings: ValidationFinding[]
  readonly skipped: { readonly what: string; readonly why: string }[]
}

export function validationRun({
  memory,
  tree,
  config,
  isDeep,
  nowMs,
  findings,
  skipped,
}: RunOptions): ValidationRun {
  const { items } = tree
  const kindByPath = new Map(items.map(item => [item.path, item.kind]))
  const reported = new Set<string>()
  const once = <T>(work: () => T) => {
    let done: { readonly answer: T } | undefined
    return () => {
      done ??= { answer: work() }
      return done.answer
    }
  }

  function bytes(path: string, maxBytes: number): Uint8Array | undefined {
    if (!kindByPath.has(path)) return undefined
    const reading = tree.read(path, maxBytes)
    if (reading.kind === 'read') return reading.bytes
    if (reading.kind === 'absent' || reported.has(path)) return undefined
    reported.add(path)
    if (reading.kind === 'too_large') {
      skipped.push({ what: inMemory(path), why: `it is ${Math.round(reading.size / 1_048_576)} MB large` })
      findings.push({
        code: 'file_too_large',
        severity: 'warning',
        path: inMemory(path),
        message: `the file is ${Math.round(reading.size / 1_048_576)} MB large and was not checked`,
        fix: 'Remove what does not belong there; `cairn compact` archives old data.',
      })
      // The check of the files reports a link that leads out.
    } else if (kindByPath.get(path) !== 'link')
      findings.push({
        code: 'unreadable',
        severity: 'error',
        path: inMemory(path),
        message: `the file cannot be read: ${reading.why}`,
        fix:
          kindByPath.get(path) === 'file'
            ? 'Give yourself the right to read it: chmod u+r.'
            : 'Move it away: a file of this name belongs here.',
      })
    return undefined
  }

  const vault = once(() => {
    const files: VaultFileView[] = []
    for (const item of items) {
      const owner = item.kind === 'file' || item.leads === 'inside' ? parseVaultPath(item.path) : undefined
      const read = owner && bytes(item.path, MAX_VAULT_BYTES)
      if (owner === undefined || read === undefined) continue
      const { agent, category } = owner
      const { segments, problems } = parseVaultFile(
        read,
        { agent, category },
        { tags: 'leave', isEntryFile: isEntryFile(item.path) },
      )
      const entries = segments.filter(segment => segment.type === 'entry')
      files.push({ path: item.path, agent, category, size: read.length, problems, entries })
    }
    return files
  })

  return {
    memory,
    isDeep,
    nowMs,
    config,
    items,
    has: path => kindByPath.has(path),
    bytes,
    json(path) {
      const read = bytes(path, MAX_DOCUMENT_BYTES)
      return read && readJson(read)
    },
    vault,
    entryIds: once(() => new Set(vault().flatMap(file => file.entries.map(({ entry }) => entry.id)))),
    events: once(() => {
      const read = bytes(LAYOUT.events.path, MAX_LOG_BYTES)
      return read && judgeEventLines(textOf(read))
    }),
    add(found) {
      for (const finding of found) findings.push(finding)
    },
    skip(what, why) {
      skipped.push({ what, why })
    },
  }
}

export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes)
}

/** A problem that the reader of a file reports. */
export function findingOf(problem: Problem, severity: Severity): ValidationFinding {
  const { code, path, line, message, hint } = problem
  return { code, severity, path: inMemory(path), ...(line !== undefined && { line }), message, fix: hint }
}
