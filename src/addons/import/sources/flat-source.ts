import * as path from 'node:path'
import { suggestAgentId } from '../../../kernel/model/agent-id.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { parseFlatFile } from '../../../kernel/vault/flat-sections.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { changedMs, filesBelow, isFolder, readText } from './source-files.ts'

/** Seed A, section 8: an agent's memory in one Markdown file, or a folder of such files. */
export const flatSource: Source = async function* (options) {
  if (!isFolder(options.path))
    return yield* entriesOf(path.dirname(options.path), path.basename(options.path), options)
  for (const file of filesBelow(options.path, 0)) {
    if (!file.endsWith('.md') || options.isKnown?.(file) === true) continue
    if (file === '_project.md')
      yield { what: 'file', at: { file }, text: readText(path.join(options.path, file)), place: file }
    else if (!/^[._]/.test(file)) yield* entriesOf(options.path, file, options)
  }
}

function* entriesOf(root: string, file: string, options: SourceOptions): Iterable<SourceItem> {
  const full = path.join(root, file)
  const text = readText(full)
  const agent = options.agentIsNamed ? options.agent : agentOfFlatFile(file)
  for (const { category, content, line, date } of parseFlatFile(text, options.maxEntryBytes)) {
    yield {
      what: 'entry',
      at: { file, line },
      // An entry without a date gets the modification date of the file.
      input: { agent, category, content, date: date ?? dayOf(changedMs(full) ?? options.nowMs) },
    }
  }
}

/**
 * `Dev.md` and `dev.md.bak` belong to dev. A name that looks like a secret is not used, because it would become the name of a
 * folder.
 */
export function agentOfFlatFile(file: string): string {
  const name = file.replace(/\.(?:md|markdown)(?:\.bak)?$/i, '')
  return suggestAgentId(redact(name, { emails: false }).redacted.length > 0 ? '' : name)
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}
