import type { Composed } from '../compose.ts'
import type { SourceFormat, SourceItem } from '../sources/source.ts'
import { nodeDisk } from '../system/disk.ts'
import { redact } from '../text/redaction/redact.ts'
import { type TakePart, withoutSecrets } from './tally.ts'

export type KeptFile = Extract<SourceItem, { what: 'file' }>

/**
 * Files that are kept as they are: in their place where that is free, otherwise in `archive/import-<timestamp>/`, where nothing
 * but a person looks at them. The same file again is known, in either place.
 */
export async function keepFiles(
  engine: Composed,
  files: readonly KeptFile[],
  { redaction, tally, dryRun, from }: TakePart & { readonly from: SourceFormat },
): Promise<void> {
  const stamp = new Date(engine.clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')
  const folder = `archive/import-${stamp}`
  const archived: string[] = []
  for (const file of files) {
    const text = cleanText(file, { redaction, tally, dryRun })
    const bytes = new TextEncoder().encode(text)
    const put = file.place === undefined ? 'taken' : await putInPlace(engine, file.place, bytes, dryRun)
    if (put !== 'taken') {
      tally.count('files', file.place ?? '', put === 'written')
      continue
    }
    const isKnown = await isArchived(engine, file.at.file, bytes)
    tally.count('files', dryRun ? 'archive/import-…' : `${folder}/${file.at.file}`, !isKnown)
    if (isKnown || dryRun) continue
    await engine.memoryFiles.put(`${folder}/${file.at.file}`, bytes)
    archived.push(file.at.file)
  }
  if (archived.length === 0) return
  const manifest = {
    version: 1,
    kind: 'import',
    at: new Date(engine.clock.nowMs()).toISOString(),
    from,
    files: archived,
  }
  await engine.memoryFiles.put(
    `${folder}/manifest.json`,
    new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`),
  )
}

async function putInPlace(
  engine: Composed,
  place: string,
  bytes: Uint8Array,
  dryRun: boolean,
): Promise<'written' | 'same' | 'taken'> {
  if (place === 'config.json') return putConfig(engine, bytes, dryRun)
  if (!dryRun) return engine.memoryFiles.put(place, bytes)
  const there = await engine.memoryFiles.read(place)
  return there === undefined ? 'written' : Buffer.compare(there, bytes) === 0 ? 'same' : 'taken'
}

/** Settings are written like any other change of them, so that they can be undone; the version is that of this vault. */
async function putConfig(
  engine: Composed,
  bytes: Uint8Array,
  dryRun: boolean,
): Promise<'written' | 'same' | 'taken'> {
  let settings: unknown
  try {
    settings = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return 'taken'
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return 'taken'
  const before = await engine.store.readDocument('config.json')
  const after = { ...settings, version: before.version ?? 1 }
  if (JSON.stringify(after) === JSON.stringify({ ...before, version: after.version })) return 'same'
  if (Object.keys(before).some(key => key !== 'version')) return 'taken'
  if (!dryRun) {
    await engine.store.write(engine.actor, async view => ({
      action: 'import',
      changes: [
        { type: 'document', name: 'config.json', before: await view.readDocument('config.json'), after },
      ],
    }))
  }
  return 'written'
}

async function isArchived(engine: Composed, file: string, bytes: Uint8Array): Promise<boolean> {
  for (const item of nodeDisk.listFolder(engine.paths.archive) ?? []) {
    if (!item.isDirectory() || !item.name.startsWith('import-')) continue
    const there = await engine.memoryFiles.read(`archive/${item.name}/${file}`)
    if (there !== undefined && Buffer.compare(there, bytes) === 0) return true
  }
  return false
}

/** JSON stays JSON: its texts are redacted one by one. */
function cleanText({ at, text }: KeptFile, { redaction, tally }: TakePart): string {
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
  { redaction, counting }: Pick<TakePart, 'redaction'> & { counting: { redacted(count: number): void } },
): string | undefined {
  try {
    return `${JSON.stringify(withoutSecrets(JSON.parse(text.replace(/^\ufeff/, '')), redaction, counting), null, 2)}\n`
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
