import type { UpkeepPorts } from '../../features/upkeep/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import {
  type ConfigKey,
  type ConfigValue,
  parseConfigValue,
  readKey,
  writeKey,
} from '../../kernel/model/config.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { memoryPaths } from '../../kernel/system/paths.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { isSameJson } from '../../kernel/vault/split-document.ts'
import type { SourceFormat, SourceItem, Trouble } from './sources/source.ts'
import { type ImportPart, withoutSecrets } from './tally.ts'

export type ImportedFile = Extract<SourceItem, { what: 'file' }>

/**
 * Stores files unchanged: in their own place if that is free, otherwise in `archive/import-<timestamp>/`, which only people read.
 * A file that is already in either place is a duplicate.
 */
export async function storeImportedFiles(
  memory: Memory & UpkeepPorts,
  files: readonly ImportedFile[],
  { redaction, tally, dryRun, batch, from }: ImportPart & { readonly from: SourceFormat | 'transcripts' },
): Promise<void> {
  const stamp = new Date(memory.clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')
  const folder = `archive/import-${stamp}`
  const archived: string[] = []
  for (const file of files) {
    const text = cleanText(file, { redaction, tally, dryRun, batch })
    const bytes = new TextEncoder().encode(text)
    const put = await putInPlace(memory, file.place, bytes, { tally, dryRun, batch })
    if (put !== 'taken') {
      tally.count('files', file.place ?? '', put === 'written')
      continue
    }
    const isKnown = await isArchived(memory, file.at.file, bytes)
    tally.count('files', dryRun ? 'archive/import-…' : `${folder}/${file.at.file}`, !isKnown)
    if (isKnown || dryRun) continue
    await memory.memoryFiles.put(`${folder}/${file.at.file}`, bytes)
    archived.push(file.at.file)
  }
  if (archived.length === 0) return
  const manifest = {
    version: 1,
    kind: 'import',
    at: new Date(memory.clock.nowMs()).toISOString(),
    from,
    files: archived,
  }
  await memory.memoryFiles.put(
    `${folder}/manifest.json`,
    new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`),
  )
}

type Put = 'written' | 'same' | 'taken'
type PutOptions = Pick<ImportPart, 'tally' | 'dryRun' | 'batch'>

async function putInPlace(
  memory: Memory & UpkeepPorts,
  place: string | undefined,
  bytes: Uint8Array,
  options: PutOptions,
): Promise<Put> {
  if (place === undefined) return 'taken'
  if (place === 'config.json') return putConfig(memory, bytes, options)
  if (!options.dryRun) return memory.memoryFiles.put(place, bytes)
  const there = await memory.memoryFiles.read(place)
  return there === undefined ? 'written' : Buffer.compare(there, bytes) === 0 ? 'same' : 'taken'
}

/**
 * Settings that may come from an import: how much is captured, cached and shown. The author of the file must not decide what is
 * redacted, where texts are sent, what is run or what is deleted.
 */
const HARMLESS: readonly ConfigKey[] = [
  'memory.auto',
  'promotion.preset',
  'search.limit',
  'vault.maxEntriesPerFile',
  'vault.keepEntries',
  'retention.history.maxAgeDays',
  'retention.checkpoints.maxAgeDays',
  'retention.checkpoints.keepRecent',
]
const MAX_NAMED = 20

/**
 * Sets options that this memory does not set. They are written like any other change of the configuration, so they can be undone;
 * the version stays that of this memory.
 */
async function putConfig(
  memory: Memory,
  bytes: Uint8Array,
  { tally, dryRun, batch }: PutOptions,
): Promise<Put> {
  const settings = settingsIn(bytes)
  if (settings === undefined) return 'taken'
  const { taken, left } = sorted(settings, await memory.store.readDocument('config.json'))
  if (taken.length > 0 && !dryRun) {
    const written = await memory.store.write(memory.actor, async view => {
      const before = await view.readDocument('config.json')
      const after = taken.reduce<Record<string, unknown>>(
        (all, [key, value]) => (readKey(all, key) === undefined ? writeKey(all, key, value) : all),
        { version: 1, ...before },
      )
      return { action: 'import', batch, changes: [{ type: 'document', name: 'config.json', before, after }] }
    })
    tally.wrote(written?.id ?? null)
  }
  if (left.length === 0) return taken.length === 0 ? 'same' : 'written'
  if (taken.length > 0) tally.note('settings', 'config.json', taken.length)
  tally.remark(settingsLeft(left))
  return 'taken'
}

function settingsLeft(left: readonly string[]): Trouble {
  const names = left.slice(0, MAX_NAMED).join(', ')
  const more = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : ''
  return {
    file: 'config.json',
    code: 'settings_left',
    message: `not taken over: ${names}${more}; the file is in the archive, \`cairn config set\` sets what you want of it`,
  }
}

function settingsIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const settings: unknown = JSON.parse(new TextDecoder().decode(bytes))
    const isGroup = typeof settings === 'object' && settings !== null && !Array.isArray(settings)
    return isGroup ? (settings as Record<string, unknown>) : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/**
 * Splits the settings into those to import and the names of the rest. A setting that this project already has is never replaced.
 */
function sorted(
  settings: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): {
  readonly taken: readonly (readonly [ConfigKey, ConfigValue])[]
  readonly left: readonly string[]
} {
  const usableHere = HARMLESS.flatMap((key): (readonly [ConfigKey, ConfigValue])[] => {
    const value = usable(key, readKey(settings, key))
    return value === undefined ? [] : [[key, value]]
  })
  const taken = usableHere.filter(([key]) => readKey(own, key) === undefined)
  const settled = usableHere.filter(([key, value]) => isSameJson(readKey(own, key), value))
  const names = new Set<string>(['version', ...[...taken, ...settled].map(([key]) => key)])
  return { taken, left: leavesOf(settings).filter(name => !names.has(name)) }
}

function usable(key: ConfigKey, stored: unknown): ConfigValue | undefined {
  try {
    return stored === undefined ? undefined : parseConfigValue(key, stored)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return undefined
  }
}

function leavesOf(group: Readonly<Record<string, unknown>>, before = ''): string[] {
  return Object.entries(group).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value as Record<string, unknown>, `${before}${name}.`)
      : [`${before}${name}`],
  )
}

async function isArchived(memory: Memory & UpkeepPorts, file: string, bytes: Uint8Array): Promise<boolean> {
  for (const item of nodeDisk.listFolder(memoryPaths(memoryFolderOf(memory).root).archive) ?? []) {
    if (!item.isDirectory() || !item.name.startsWith('import-')) continue
    const there = await memory.memoryFiles.read(`archive/${item.name}/${file}`)
    if (there !== undefined && Buffer.compare(there, bytes) === 0) return true
  }
  return false
}

/** In JSON, each text is redacted on its own, so the file stays valid JSON. */
function cleanText({ at, text }: ImportedFile, { redaction, tally }: ImportPart): string {
  let found = 0
  const counting = {
    redacted: (count: number) => {
      found += count
    },
  }
  const plain = () => {
    const result = redact(text, redaction)
    counting.redacted(result.redacted.length)
    return result.text
  }
  const clean = at.file.endsWith('.json') ? (cleanJson(text, { redaction, counting }) ?? plain()) : plain()
  tally.redacted(found)
  return found === 0 ? text : clean
}

function cleanJson(
  text: string,
  { redaction, counting }: Pick<ImportPart, 'redaction'> & { counting: { redacted(count: number): void } },
): string | undefined {
  try {
    return `${JSON.stringify(withoutSecrets(JSON.parse(text.replace(/^\ufeff/, '')), redaction, counting), null, 2)}\n`
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
