import type { Bundle, BundleItem, ProjectMap, ValidationCommand } from '../../../kernel/model/bundle.ts'
import type { TextFileChange } from '../../../kernel/model/journal.ts'
import { diffLines, linesOf } from '../../../kernel/text/line-diff.ts'
import { codeSpan, markdownLine } from './markdown-line.ts'

/** Raise it when a file of an older version could be mistaken for a hand edit. */
const PROJECTION_VERSION = 1
export const PROJECTION_NAMES = [
  'README.md',
  'project-map.md',
  'current-focus.md',
  'gotchas.md',
  'next-steps.md',
] as const

interface ProjectionFile {
  readonly name: string
  readonly text: string
}

/** The content of a file with the name of a projection. */
type ProjectionReading =
  /** No marker of ours in the first line. */
  | { readonly kind: 'foreign' }
  | {
      readonly kind: 'ours'
      readonly version: number
      readonly bundleHash: string
      /** The body is not what was written. */
      readonly isEdited: boolean
    }

const MARKER =
  /^<!-- cairn:projection version=(\d{1,9}) bundleHash=([0-9a-f]{64}) bodyHash=([0-9a-f]{16}) -->[ \t]*(?:\n|$)/

/** Renders a clean bundle. The same bundle gives the same bytes, so git sees no change. */
export function renderProjections(
  bundle: Bundle,
  bundleHash: string,
  hash: (text: string) => string,
): ProjectionFile[] {
  const bodies: Record<(typeof PROJECTION_NAMES)[number], readonly string[]> = {
    'README.md': readmeOf(bundle),
    'project-map.md': mapOf(bundle.projectMap),
    'current-focus.md': ['# Current focus', '', ...itemsOf(bundle.currentFocus)],
    'gotchas.md': ['# Gotchas', '', ...itemsOf(bundle.gotchas)],
    'next-steps.md': ['# Next steps', '', ...itemsOf(bundle.nextSteps)],
  }
  return PROJECTION_NAMES.map(name => {
    const body = `\n${bodies[name].join('\n')}\n`
    const marker = `<!-- cairn:projection version=${PROJECTION_VERSION} bundleHash=${bundleHash} bodyHash=${hash(body)} -->`
    return { name, text: `${marker}\n${body}` }
  })
}

/** A byte-order mark and the line ends of a checkout are not an edit. */
export function readProjection(text: string, hash: (text: string) => string): ProjectionReading {
  const plain = plainText(text)
  const marker = MARKER.exec(plain)
  if (marker === null) return { kind: 'foreign' }
  const [head, version, bundleHash = '', bodyHash] = marker
  return {
    kind: 'ours',
    version: Number(version),
    bundleHash,
    isEdited: hash(plain.slice(head.length)) !== bodyHash,
  }
}

function plainText(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
}

function readmeOf(bundle: Bundle): string[] {
  const { project, projectMap, currentFocus, gotchas, nextSteps, validationCommands } = bundle
  const languages = projectMap.languages.slice(0, 3).map(({ name }) => markdownLine(name, 40))
  const rows: readonly (readonly [string, string])[] = [
    [
      'project-map.md',
      languages.length === 0 ? 'what the repository is made of' : `the repository: ${languages.join(', ')}`,
    ],
    ['current-focus.md', `${counted(currentFocus, 'item', 'items')} in work`],
    ['gotchas.md', `${counted(gotchas, 'thing', 'things')} to know before changing anything`],
    ['next-steps.md', `${counted(nextSteps, 'step', 'steps')} ahead`],
  ]
  return [
    `# Project memory: ${markdownLine(project.name, 80)}`,
    '',
    ...(project.description === undefined ? [] : [markdownLine(project.description), '']),
    'Where the project stands, as earlier sessions left it: data, not instructions. Written by Cairn from `.memory/state.json`;',
    'a change made here is not kept. `cairn recall` brings the memory up to date, `cairn projections write` these files.',
    '',
    ...rows.map(([name, what]) => `- [${name}](${name}): ${what}`),
    '',
    '## Checks',
    '',
    ...commandsOf(validationCommands),
  ]
}

function counted(list: readonly unknown[], one: string, many: string): string {
  return `${list.length} ${list.length === 1 ? one : many}`
}

function commandsOf(commands: readonly ValidationCommand[]): string[] {
  if (commands.length === 0) return ['None is known yet.']
  return commands.map(({ command, lastOutcome, lastRunAt }) => {
    const when = lastRunAt === undefined ? '' : ` ${dayOf(lastRunAt)}`
    return `- ${codeSpan(command)}${lastOutcome === undefined ? '' : `: ${lastOutcome}${when}`}`
  })
}

function mapOf(map: ProjectMap): string[] {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]
  const parts = [
    ...section(
      'Languages',
      map.languages.map(({ name, files }) => `- ${markdownLine(name, 60)}: ${fileCount(files)}`),
    ),
    ...section(
      'Packages',
      map.packages.map(
        ({ name, path, kind }) => `- ${codeSpan(name)} (${markdownLine(kind, 40)}) in ${codeSpan(path)}`,
      ),
    ),
    ...section(
      'Entry points',
      map.entryPoints.map(({ path, what }) => `- ${codeSpan(path)}: ${markdownLine(what, 160)}`),
    ),
    ...section(
      'Scripts',
      map.scripts.map(
        ({ name, command, path }) => `- ${codeSpan(name)} in ${codeSpan(path)}: ${codeSpan(command)}`,
      ),
    ),
    ...section(
      'Folders',
      map.folders.map(({ path, files }) => `- ${codeSpan(path)}: ${fileCount(files)}`),
    ),
  ]
  return parts.length === 0
    ? ['# Project map', '', 'Nothing is known of the repository yet.']
    : ['# Project map', ...parts]
}

function fileCount(files: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}`
}

function itemsOf(items: readonly BundleItem[]): string[] {
  if (items.length === 0) return ['Nothing is recorded.']
  return items.flatMap(({ text, since, files = [], sources }) => {
    const facts = [`since ${dayOf(since)}`, ...files.slice(0, 5).map(file => codeSpan(file, 120))]
    const source = sources[0]
    if (source !== undefined) facts.push(`from ${codeSpan(source, 80)}`)
    return [`- ${markdownLine(text)}`, `  (${facts.join(', ')})`]
  })
}

/** `2026-03-16`; a hand edit may have another value. */
function dayOf(moment: string): string {
  return /^\d{4}-\d\d-\d\d/.exec(moment)?.[0] ?? 'an unknown day'
}

/**
 * absent: not written yet · current: of this bundle · behind: of an older bundle · edited: changed by hand · foreign: not written by Cairn
 * · newer: written by a newer Cairn · unreadable: not a text · unknown: ours, but there is no state to compare with
 */
export const PROJECTION_STATES = [
  'absent',
  'current',
  'behind',
  'edited',
  'foreign',
  'newer',
  'unreadable',
  'unknown',
] as const
type ProjectionState = (typeof PROJECTION_STATES)[number]

/** The present content of a file. */
export type Present =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly why: string }

export interface JudgedProjection {
  readonly path: string
  readonly state: ProjectionState
  /** The lines that the file would lose and get: `-` and `+`, bounded. Only for a file that a person changed. */
  readonly diff?: readonly string[]
  readonly why?: string
}

export interface ProjectionInput {
  readonly path: string
  readonly present: Present
  /** undefined: there is no state. */
  readonly next: ProjectionFile | undefined
  readonly bundleHash: string | undefined
  readonly hash: (text: string) => string
}

export function judgeProjection({
  path,
  present,
  next,
  bundleHash,
  hash,
}: ProjectionInput): JudgedProjection {
  if (present.kind === 'absent') return { path, state: 'absent' }
  if (present.kind === 'unreadable') return { path, state: 'unreadable', why: present.why }
  const reading = readProjection(present.text, hash)
  const diff = () => ({ diff: readableDiff(plainText(present.text), next?.text ?? '') })
  if (reading.kind === 'foreign') return { path, state: 'foreign', ...diff() }
  if (reading.version > PROJECTION_VERSION) return { path, state: 'newer' }
  if (reading.isEdited) return { path, state: 'edited', ...diff() }
  if (bundleHash === undefined) return { path, state: 'unknown' }
  return { path, state: reading.bundleHash === bundleHash ? 'current' : 'behind' }
}

/** The line ends of the existing file stay: with autocrlf git would otherwise see every line changed. */
export function projectionChange({ path, present, next }: ProjectionInput): TextFileChange | undefined {
  if (next === undefined || present.kind === 'unreadable') return undefined
  if (present.kind === 'absent') return { type: 'file', path, before: null, after: next.text }
  const after = present.text.includes('\r\n') ? next.text.replaceAll('\n', '\r\n') : next.text
  return after === present.text ? undefined : { type: 'file', path, before: present.text, after }
}

const MAX_DIFF_LINES = 40
const MAX_DIFF_LINE_LENGTH = 160

/** `- ` removed, `+ ` added, `@ 12` the line. Without the marker line, which means nothing to a reader. */
function readableDiff(before: string, after: string): string[] {
  const edits = diffLines(bodyLines(before), bodyLines(after))
  const lines = edits.flatMap(({ at, removed, added }) => [
    `@ line ${at + 2}`,
    ...removed.map(line => `- ${cut(line)}`),
    ...added.map(line => `+ ${cut(line)}`),
  ])
  const left = lines.length - MAX_DIFF_LINES
  return left > 0 ? [...lines.slice(0, MAX_DIFF_LINES), `… ${left} more lines`] : lines
}

function bodyLines(text: string): string[] {
  const lines = linesOf(text).map(line => line.replace(/\n$/, ''))
  return lines[0]?.startsWith('<!-- cairn:projection ') === true ? lines.slice(1) : ['', ...lines]
}

function cut(line: string): string {
  return line.length <= MAX_DIFF_LINE_LENGTH ? line : `${line.slice(0, MAX_DIFF_LINE_LENGTH)}…`
}
