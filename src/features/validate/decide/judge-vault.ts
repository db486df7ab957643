import { type Category, homeOfKind, KIND_HOME, SUMMARY_KIND } from '../../../kernel/model/category.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { isTypedId, rootOfId, timeOfId } from '../../../kernel/model/entry-id.ts'
import { isLocalPath, isPage } from '../../../kernel/model/vault-layout.ts'
import { findLinks, type LinkLookup, linkTitleOf, resolveLink } from '../../../kernel/text/links.ts'
import { counted, inMemory, type Severity, shortName, type ValidationFinding } from './finding.ts'

/** A vault file, parsed once for all checks. */
export interface VaultFileView {
  /** Relative to `.memory/`. */
  readonly path: string
  readonly agent: string
  readonly category: Category
  readonly size: number
  readonly problems: readonly {
    readonly code: string
    readonly line: number
    readonly message: string
    readonly hint: string
  }[]
  readonly entries: readonly EntryView[]
}

interface EntryView {
  readonly entry: Entry
  readonly line: number
  /** The entry has no id of its own: a person typed it, or copied another entry and changed it. */
  readonly idMissing: boolean
}

interface VaultRules {
  readonly maxEntryBytes: number
  readonly pageBytes: number
  /** 0: files never roll over. */
  readonly maxEntriesPerFile: number
  readonly nowMs: number
  /** A day after now, in the format of entry dates: clocks differ. */
  readonly latestDate: string
  /** Whether a text is the print of a file. */
  readonly isPrint: (text: string) => boolean
}

const DAY_MS = 86_400_000
const ID = /^[\w.~:@+-]{1,128}$/
const PLAIN_KIND = /^[a-z0-9_-]{1,40}$/
const PAGE_NAME = /^(\d{4}-(?:0[1-9]|1[0-2]))(?:\.[1-9]\d*)?\.md$/
/** A field of `extra` with one of these names is a value that could not be read. */
const FIELDS: Readonly<Record<string, string>> = {
  status: 'candidate, confirmed or pinned',
  origin: 'person, agent or machine',
  importance: 'a number from 0 to 1',
  confidence: 'a number from 0 to 1',
  updated: 'a date such as 2026-03-16T16:51',
  anchors: 'a list of path@print',
  commit: '7 to 64 hexadecimal digits',
}
const PROBLEM_SEVERITY: Readonly<Record<string, Severity>> = {
  conflict_markers: 'error',
  utf16: 'error',
  not_utf8: 'error',
  duplicate_id: 'warning',
  bad_date: 'warning',
  unread_text: 'warning',
}

/** Each file, and all files together: ids are unique across a memory. */
export function judgeVaultFiles(files: readonly VaultFileView[], rules: VaultRules): ValidationFinding[] {
  const findings: ValidationFinding[] = []
  const firstById = new Map<string, { readonly view: EntryView; readonly path: string }>()
  for (const file of files) {
    const path = inMemory(file.path)
    for (const { code, line, message, hint } of file.problems)
      findings.push({ code, severity: PROBLEM_SEVERITY[code] ?? 'warning', path, line, message, fix: hint })
    judgePage(file, rules, findings)
    for (const view of file.entries) {
      judgeEntry(view, path, rules, findings)
      const first = firstById.get(view.entry.id)
      if (first === undefined) firstById.set(view.entry.id, { view, path })
      // The parser reports an entry that is twice in one file.
      else if (first.path !== path) findings.push(twice(view, path, first))
    }
  }
  return findings
}

function twice(view: EntryView, path: string, first: { view: EntryView; path: string }): ValidationFinding {
  const { entry, line } = view
  const other = `${first.path}, line ${first.view.line}`
  if (saysTheSame(entry, first.view.entry)) {
    return {
      code: 'entry_twice',
      severity: 'warning',
      path,
      line,
      message: `the entry ${shortName(entry.id)} is here and in ${other}`,
      fix: 'Remove one of the two, or run `cairn migrate`, which leaves the valid one.',
    }
  }
  return {
    code: 'id_clash',
    severity: 'error',
    path,
    line,
    message: `another entry has the id ${shortName(entry.id)} already: ${other}`,
    fix: 'Remove this comment line, or write another id.',
  }
}

function saysTheSame(a: Entry, b: Entry): boolean {
  return a.content === b.content && a.kind === b.kind && a.status === b.status && a.date === b.date
}

function judgeEntry(view: EntryView, path: string, rules: VaultRules, findings: ValidationFinding[]): void {
  const { entry, line, idMissing } = view
  const add = (severity: Severity, code: string, message: string, fix: string) =>
    findings.push({ code, severity, path, line, message, fix })
  const id = shortName(entry.id)

  if (idMissing) {
    // A typed entry needs no id: it is identified by its content, in every clone.
    if (!isTypedId(entry.id))
      add(
        'error',
        'id_clash',
        `the id ${shortName(rootOfId(entry.id))} is in this file already, with other content`,
        `Until then its id is ${id}. Remove this comment line, or write another id.`,
      )
  } else if (!ID.test(entry.id))
    add(
      'warning',
      'id_malformed',
      `the id ${id} has characters that some tools cannot handle`,
      'Use letters, digits and . _ ~ : @ + -, at most 128 of them.',
    )
  const madeMs = idMissing ? undefined : timeOfId(entry.id)
  if (madeMs !== undefined && madeMs > rules.nowMs + DAY_MS)
    add(
      'warning',
      'id_in_future',
      `the id ${id} is in the future: every new entry would get a later id`,
      'Correct the clock of that machine, and write the id as the milliseconds of its true date.',
    )
  if (entry.date > rules.latestDate)
    add('warning', 'date_in_future', `the entry is dated ${entry.date}`, 'Correct the date in its heading.')
  if (entry.kind === SUMMARY_KIND) return

  for (const key of entry.extra === undefined ? [] : Object.keys(entry.extra)) {
    if (Object.hasOwn(FIELDS, key))
      add(
        'warning',
        'field_invalid',
        `\`${key}\` of ${id} cannot be read, and is ignored`,
        `Write ${FIELDS[key]}, or remove it from the comment line.`,
      )
  }
  if (!isKind(entry.kind))
    add(
      'warning',
      'kind_invalid',
      `the kind of ${id} is not a word`,
      'A kind is one word of up to 40 letters.',
    )
  else if (Object.hasOwn(KIND_HOME, entry.kind) && homeOfKind(entry.kind) !== entry.category)
    add(
      'note',
      'kind_elsewhere',
      `${id} is a ${entry.kind}, whose home is ${homeOfKind(entry.kind)}.md`,
      `Move it there, or give it a kind of ${entry.category}.`,
    )
  if (entry.content.trim() === '')
    add('warning', 'entry_empty', `${id} has no content`, `Write its content, or \`cairn forget ${id}\`.`)
  else if (
    entry.content.length * 4 > rules.maxEntryBytes &&
    Buffer.byteLength(entry.content) > rules.maxEntryBytes
  )
    add(
      'warning',
      'entry_too_long',
      `${id} has ${Buffer.byteLength(entry.content)} bytes; an entry has at most ${rules.maxEntryBytes}`,
      'Move the text to a document and link to it, or raise `vault.maxEntryBytes`.',
    )
  const outside = entry.files.find(leadsOut)
  if (outside !== undefined)
    add(
      'note',
      'file_outside',
      `${id} names a file outside the project`,
      'Write the path relative to the project.',
    )
  for (const { file, print } of entry.anchors ?? []) {
    if (!entry.files.includes(file))
      add(
        'warning',
        'anchor_without_file',
        `${id} is anchored to a file that is not in its \`files\`, so the anchor is ignored`,
        `Add the file to \`files\`, or \`cairn confirm ${id}\` to anchor it again.`,
      )
    else if (!rules.isPrint(print))
      add(
        'warning',
        'anchor_invalid',
        `the print of an anchor of ${id} cannot be read`,
        `\`cairn confirm ${id}\` anchors it to its files as they are now.`,
      )
  }
}

/** The second pattern is slow to compile, and most kinds match the first. */
function isKind(kind: string): boolean {
  return PLAIN_KIND.test(kind) || /^[\p{L}\p{N}_-]{1,40}$/u.test(kind)
}

function leadsOut(file: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/]|~\/)|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(file)
}

function judgePage(file: VaultFileView, rules: VaultRules, findings: ValidationFinding[]): void {
  const path = inMemory(file.path)
  const entries = file.entries.filter(({ entry }) => entry.kind !== SUMMARY_KIND)
  if (!isPage(file.path)) {
    judgeHead(file, rules, findings)
    return
  }
  const month = PAGE_NAME.exec(file.path.slice(file.path.lastIndexOf('/') + 1))?.[1]
  const strays = month === undefined ? [] : entries.filter(({ entry }) => entry.date.slice(0, 7) !== month)
  const [first] = strays
  if (first !== undefined)
    findings.push({
      code: 'page_wrong_month',
      severity: 'warning',
      path,
      line: first.line,
      message: `${counted(strays.length, 'entry is', 'entries are')} not of ${month}, the first of ${first.entry.date.slice(0, 7)}`,
      fix: `Move ${strays.length === 1 ? 'it' : 'them'} to the page of the month, or correct the date.`,
    })
  if (file.size > rules.pageBytes && entries.length > 1)
    findings.push({
      code: 'page_too_large',
      severity: 'note',
      path,
      message: `the page has ${file.size} bytes; a page is full at ${rules.pageBytes}`,
      fix: `Move its last entries to the next page, or raise \`vault.pageBytes\`.`,
    })
}

function judgeHead(file: VaultFileView, rules: VaultRules, findings: ValidationFinding[]): void {
  const path = inMemory(file.path)
  const summaries = file.entries.filter(({ entry }) => entry.kind === SUMMARY_KIND)
  const second = summaries[1]
  if (second !== undefined)
    findings.push({
      code: 'summary_twice',
      severity: 'warning',
      path,
      line: second.line,
      message: 'the file has more than one summary of its older entries',
      fix: 'Remove the older summary; the next rollover writes a new one.',
    })
  const entries = file.entries.length - summaries.length
  const hasConflict = file.problems.some(({ code }) => code === 'conflict_markers')
  if (
    isLocalPath(file.path) &&
    rules.maxEntriesPerFile > 0 &&
    entries > rules.maxEntriesPerFile &&
    !hasConflict
  )
    findings.push({
      code: 'head_too_long',
      severity: 'note',
      path,
      message: `the file has ${entries} entries; above ${rules.maxEntriesPerFile} the older ones should be moved to pages`,
      fix: '`cairn compact` moves them.',
    })
}

/**
 * Links without a target. Only a note: the target may be in `private/`, which clones do not have, or not written yet.
 */
export function judgeLinks(files: readonly VaultFileView[]): ValidationFinding[] {
  const findings: ValidationFinding[] = []
  let lookup: LinkLookup | undefined
  for (const file of files) {
    for (const { entry, line } of file.entries) {
      if (entry.kind === SUMMARY_KIND) continue
      for (const { target, at } of findLinks(entry.content)) {
        lookup ??= lookupIn(files)
        const found = resolveLink(target, lookup, entry.id)
        if (found.kind !== 'dangling') continue
        findings.push({
          code: 'link_dangling',
          severity: 'note',
          path: inMemory(file.path),
          // After the comment, the heading and a blank line.
          line: line + 3 + linesBefore(entry.content, at),
          message:
            found.reason === 'ambiguous'
              ? `[[${shortName(target)}]] may mean several entries`
              : `[[${shortName(target)}]] has no target`,
          fix: `\`cairn search\` finds the entry that was meant; write its id: [[id|text]].`,
        })
      }
    }
  }
  return findings
}

/** Titles are folded only when a link is neither an id nor a file. */
function lookupIn(files: readonly VaultFileView[]): LinkLookup {
  const entries = files.flatMap(file => file.entries).filter(({ entry }) => entry.kind !== SUMMARY_KIND)
  const ids = new Set(entries.map(({ entry }) => entry.id))
  const vaults = new Set(files.map(({ agent, category }) => `${agent}/${category}`))
  let known: Map<string, string[]> | undefined
  const titles = () => {
    if (known !== undefined) return known
    known = new Map()
    for (const { entry } of entries) {
      const title = linkTitleOf(entry.content)
      const same = known.get(title)
      if (same === undefined) known.set(title, [entry.id])
      else same.push(entry.id)
    }
    return known
  }
  return {
    hasEntry: id => ids.has(id),
    hasVaultFile: (agent, category) => vaults.has(`${agent}/${category}`),
    idsByTitle: title => titles().get(title) ?? [],
    idsByTitlePrefix(prefix) {
      const found: string[] = []
      for (const [title, same] of titles()) {
        if (title.startsWith(prefix)) found.push(...same)
        if (found.length > 2) break
      }
      return found
    },
  }
}

function linesBefore(text: string, offset: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
