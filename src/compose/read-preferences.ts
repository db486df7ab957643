import { isStillValid, loserOf, readResolutions } from '../features/conflicts/decide/resolutions.ts'
import { LAYOUT } from '../kernel/layout.ts'
import type { Entry } from '../kernel/model/entry.ts'
import { CairnError } from '../kernel/model/errors.ts'
import {
  type KnownPlace,
  type KnownPreferences,
  PREFERENCES_VERSION,
  type Preference,
} from '../kernel/model/preference.ts'
import { type Disk, errnoOf, privateDisk } from '../kernel/system/disk.ts'
import { memoryPaths, placeIn } from '../kernel/system/paths.ts'
import { fingerprint } from '../kernel/text/fingerprint.ts'
import { redact } from '../kernel/text/redaction/redact.ts'
import { parseVaultFile } from '../kernel/vault/vault-file.ts'
import type { ScannedFile } from '../kernel/vault/vault-folder.ts'
import { replaceFile } from '../stores/files/safe-path.ts'
import { vaultFolder } from '../stores/files/vault-folder.ts'

/** A few times the budget of a brief: the brief selects later. */
const KEPT_PREFERENCES = 20
/** A brief takes a few sentences of one; the rest is in the vault. */
const KEPT_CHARACTERS = 600
/** A vault of preferences has a few small files; a larger one is not such a vault. */
const MAX_FILES = 200
const MAX_TOLD = 5
const MAX_BYTES = 1_048_576

/** Reads the vaults of the user's memory, selects, and caches the selection. */
export function readPreferences(memory: string, disk: Disk, nowMs: number): KnownPreferences {
  const folder = vaultFolder(memoryPaths(memory.slice(0, memory.lastIndexOf('/'))), disk)
  const curation: KnownPlace = placeOf('curation.json', disk.stamp(`${memory}/curation.json`))
  const { files, folders, problems } = folder.scan()
  const small = files.filter(({ size }) => size <= MAX_BYTES)
  const readable = small.slice(0, MAX_FILES)
  const entries = readable.flatMap(file => entriesOf(file, folder.read(file.path)))
  const known: KnownPreferences = {
    version: PREFERENCES_VERSION,
    readMs: nowMs,
    places: [
      curation,
      ...[...folders, ...files].map(({ path, size, mtimeMs, inode }) =>
        placeOf(path, { size, mtimeMs, inode }),
      ),
    ],
    preferences: choosePreferences(entries, disk.readFile(`${memory}/curation.json`)),
    left: [
      ...problems.map(({ message }) => message),
      ...files
        .filter(({ size }) => size > MAX_BYTES)
        .map(({ path }) => `${path} is larger than 1 MB, and nothing of it is told.`),
      ...(small.length > MAX_FILES ? [`Of ${small.length} files ${MAX_FILES} were read.`] : []),
    ].slice(0, MAX_TOLD),
  }
  keep(known, memory, nowMs)
  return known
}

function placeOf(path: string, stamp: KnownPlace['stamp']): KnownPlace {
  return stamp === undefined ? { path } : { path, stamp }
}

function entriesOf({ agent, category }: ScannedFile, bytes: Uint8Array | undefined): Entry[] {
  if (bytes === undefined) return []
  return parseVaultFile(bytes, { agent, category }).segments.flatMap(segment =>
    segment.type === 'entry'
      ? // One that a person wrote by hand has no id: its words are its name.
        [
          segment.idMissing
            ? { ...segment.entry, id: `user-${fingerprint(segment.entry.content)}` }
            : segment.entry,
        ]
      : [],
  )
}

/** Preferences and pinned entries that nothing newer replaced: pinned first, then by importance, then the newest. */
function choosePreferences(entries: readonly Entry[], curation: Uint8Array | undefined): Preference[] {
  const superseded = supersededIds(entries, curation)
  return entries
    .filter(({ kind, status, id }) => (kind === 'preference' || status === 'pinned') && !superseded.has(id))
    .filter(({ status }) => status !== 'candidate')
    .sort(
      (a, b) =>
        Number(b.status === 'pinned') - Number(a.status === 'pinned') ||
        b.importance - a.importance ||
        b.date.localeCompare(a.date) ||
        b.id.localeCompare(a.id),
    )
    .slice(0, KEPT_PREFERENCES)
    .map(({ id, agent, kind, status, origin, date, importance, content }) => ({
      id,
      agent,
      kind,
      status,
      origin,
      date,
      importance,
      // A text written by hand may contain a secret that no write has redacted.
      text: redact(content)
        .text.slice(0, KEPT_CHARACTERS)
        .replace(/[\ud800-\udbff]$/, ''),
    }))
}

function supersededIds(entries: readonly Entry[], curation: Uint8Array | undefined): ReadonlySet<string> {
  if (curation === undefined) return new Set()
  const printById = new Map(entries.map(({ id, content }) => [id, fingerprint(content)]))
  const losers = readResolutions(conflictsIn(curation))
    .filter(resolved => isStillValid(resolved, id => printById.get(id)))
    .flatMap(resolved => loserOf(resolved) ?? [])
  return new Set(losers)
}

/** A damaged curation.json is reported by `cairn doctor --user`; here it counts as empty. */
function conflictsIn(curation: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(curation)) as { conflicts?: unknown } | null)?.conflicts
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** If it cannot be written, the next process reads the files again. */
function keep(known: KnownPreferences, memory: string, nowMs: number): void {
  try {
    replaceFile(privateDisk, placeIn(memory, LAYOUT.preferences), JSON.stringify(known), nowMs)
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof CairnError)) throw error
  }
}
