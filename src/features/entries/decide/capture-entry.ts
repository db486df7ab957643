import { parseAgentId } from '../../../kernel/model/agent-id.ts'
import { DEFAULT_KIND, homeOfKind, type Kind, SUMMARY_KIND } from '../../../kernel/model/category.ts'
import type { Config } from '../../../kernel/model/config.ts'
import { DEFAULT_IMPORTANCE, MAX_FIELD_LENGTH, MAX_FILES, MAX_TAGS } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Anchoring } from '../../../kernel/model/freshness.ts'
import type { CapturedEntry, NewEntry, RedactedPart } from '../../../kernel/model/new-entry.ts'
import { extraOf, extraOfLineage, type Provenance } from '../../../kernel/model/provenance.ts'
import { utcMinute } from '../../../kernel/text/dates.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { withoutClosedPrivate } from '../../../kernel/text/private-parts.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { withoutSecret } from '../../../kernel/text/redaction/safe-names.ts'
import { extractTags, mergeTags } from '../../../kernel/text/tags.ts'

export interface Captured {
  readonly entry: CapturedEntry
  readonly redacted: readonly RedactedPart[]
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const PRINT = /^[\w=.-]{1,80}$/
const COMMIT = /^[0-9a-f]{7,64}$/
/** Maximum tags and files that are read. */
const MAX_GIVEN = 1_000

export function captureEntry(input: NewEntry, config: Config): Captured {
  const redacted: RedactedPart[] = []
  const options = redactionOptions(config)
  const clean = (text: string, field: RedactedPart['field']): string => {
    const result = redact(text.replace(LONE_SURROGATE, '\ufffd'), options)
    for (const part of result.redacted) redacted.push({ ...part, field })
    return result.text
  }
  const oneLine = (text: string, field: RedactedPart['field']) =>
    clean(text.replace(/[\s\0]+/g, ' ').trim(), field).slice(0, MAX_FIELD_LENGTH)

  const given = checkContent(input.content, config['vault.maxEntryBytes'])
  const content = clean(withoutClosedPrivate(given), 'content')
  const kind = kindOf(input)
  const tags = mergeTags(
    (input.tags ?? []).slice(0, MAX_GIVEN).map(tag => oneLine(tag, 'tags')),
    extractTags(content),
  ).slice(0, MAX_TAGS)
  const files = [
    ...new Set(
      (input.files ?? []).slice(0, MAX_GIVEN).map(file => oneLine(file.replaceAll('\\', '/'), 'files')),
    ),
  ]
  return {
    entry: {
      agent: parseAgentId(withoutSecret('agent', input.agent ?? config['vault.defaultAgent'])),
      category: input.category ?? homeOfKind(kind),
      kind,
      status: input.status ?? 'confirmed',
      origin: input.origin ?? 'person',
      dateMs: input.date === undefined ? undefined : parseDate(input.date),
      content,
      tags,
      files: files.filter(file => file !== '').slice(0, MAX_FILES),
      importance: round(input.importance ?? DEFAULT_IMPORTANCE),
      confidence: input.confidence === undefined ? undefined : round(input.confidence),
      session:
        input.session === undefined
          ? undefined
          : oneLine(input.session, 'session').replaceAll(' ', '-') || undefined,
      ...anchoringOf(input, files),
      ...extraFields({
        ...(input.provenance !== undefined &&
          extraOf(cleanProvenance(input.provenance, content, text => oneLine(text, 'files')))),
        ...(input.lineage !== undefined && extraOfLineage(input.lineage)),
      }),
    },
    redacted,
  }
}

function extraFields(extra: Readonly<Record<string, string>>): Pick<CapturedEntry, 'extra'> {
  return Object.keys(extra).length === 0 ? {} : { extra }
}

/** An id is never redacted, because two ids could become equal. Without an id, the fingerprint of the content identifies it. */
function cleanProvenance(
  { tool, file, id, print }: Provenance,
  content: string,
  clean: (text: string) => string,
): Provenance {
  const isPlain = id !== undefined && clean(id) === id
  return {
    tool: clean(tool),
    ...(file !== undefined && { file: clean(file) }),
    ...(isPlain && { id }),
    print: print !== undefined && PRINT.test(print) ? print : fingerprint(content),
  }
}

/** Only anchors of files that it names, and only what could be an anchor: an imported line may say anything. */
function anchoringOf({ anchors, commit }: NewEntry, files: readonly string[]): Anchoring {
  const known = (anchors ?? []).filter(({ file, print }) => files.includes(file) && PRINT.test(print))
  if (known.length === 0) return {}
  return {
    anchors: known.map(({ file, print }) => ({ file, print })),
    ...(commit !== undefined && COMMIT.test(commit) && { commit }),
  }
}

/** Returns the content unchanged if it can be stored: not empty, and within the limit. */
function checkContent(content: string, maxBytes: number): string {
  if (content.trim() === '') {
    throw new CairnError({
      code: 'content_empty',
      message: 'There is nothing to remember: the content is empty.',
      hint: 'Give the text, for example: cairn remember "We use SSE, not WebSockets: the proxy drops idle sockets."',
    })
  }
  const bytes = Buffer.byteLength(content)
  if (bytes > maxBytes) {
    throw new CairnError({
      code: 'content_too_long',
      message: `The content has ${bytes} bytes; an entry can have at most ${maxBytes}.`,
      hint: 'Put the long text into a document of the project and remember one sentence that points to it.',
    })
  }
  return content
}

function kindOf({ kind, category }: NewEntry): Kind {
  if (kind === undefined) return category === undefined ? 'lesson' : DEFAULT_KIND[category]
  const name = withoutSecret('kind', kind).trim().toLowerCase().replace(/\s+/g, '_')
  if (!/^[\p{L}\p{N}_-]{1,40}$/u.test(name) || name === SUMMARY_KIND) {
    throw new CairnError({
      code: 'invalid_input',
      message: `"${kind.slice(0, 60)}" cannot be a kind.`,
      hint: 'A kind is one word of up to 40 letters, digits, - and _, for example: warning.',
    })
  }
  return name
}

export function parseDate(text: string): number {
  const bare = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/.test(text)
  const ms = Date.parse(bare && text.includes('T') ? `${text}Z` : text)
  // `2026-02-31` would be a day of March.
  const isOtherDay = bare && utcMinute(ms).slice(0, 10) !== text.slice(0, 10)
  if (Number.isNaN(ms) || ms < 0 || ms > 253_402_300_799_999 || isOtherDay) {
    throw new CairnError({
      code: 'invalid_input',
      message: `"${text.slice(0, 40)}" is not a date.`,
      hint: 'Write it as 2026-03-16 or 2026-03-16T16:51.',
    })
  }
  return ms
}

function round(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000
}
