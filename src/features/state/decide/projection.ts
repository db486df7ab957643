import type { Bundle, BundleItem, ProjectMap, ValidationCommand } from '../../../kernel/model/bundle.ts'
import { codeSpan, markdownLine } from './markdown-line.ts'

/** Raised when a file of an older version can no longer be told from a hand edit. */
export const PROJECTION_VERSION = 1
export const PROJECTION_NAMES = [
  'README.md',
  'project-map.md',
  'current-focus.md',
  'gotchas.md',
  'next-steps.md',
] as const

export interface ProjectionFile {
  readonly name: string
  readonly text: string
}

/** What a file with the name of a projection holds. */
export type ProjectionReading =
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

/** Pure of the bundle: the same bundle gives the same bytes, so git stays quiet. The bundle is clean already. */
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

/** A byte-order mark and the line ends of a checkout are no edit. */
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

export function plainText(text: string): string {
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

/** `2026-03-16`, also where a hand wrote something else. */
function dayOf(moment: string): string {
  return /^\d{4}-\d\d-\d\d/.exec(moment)?.[0] ?? 'an unknown day'
}
