import {
  BUNDLE_SECTIONS,
  type Bundle,
  type BundleItem,
  type BundleSection,
} from '../../../kernel/model/bundle.ts'
import { canonicalJson } from '../../../kernel/model/json-value.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'

export interface BundleChange {
  readonly section: BundleSection
  readonly change: 'added' | 'removed' | 'changed'
  readonly text: string
  /** The text before the change. */
  readonly before?: string
  readonly why?: string
}

interface Line {
  /** Identifies the line in another state. */
  readonly key: string
  readonly text: string
  /** Entries behind it: the entry is the same even if the words differ. An event may have several statements. */
  readonly entries?: readonly string[]
}

/** The changes by section, in the order of the new bundle, then the removed lines. */
export function diffBundles(before: Bundle | undefined, after: Bundle): BundleChange[] {
  return BUNDLE_SECTIONS.flatMap(section => {
    const old = before === undefined ? [] : linesOf(before, section)
    const now = linesOf(after, section)
    const sameByLine = pairs(old, now)
    const taken = new Set(sameByLine.values())
    const changes = now.flatMap((line): BundleChange[] => {
      const known = sameByLine.get(line)
      if (known === undefined) return [{ section, change: 'added', text: line.text }]
      return known.text === line.text
        ? []
        : [{ section, change: 'changed', text: line.text, before: known.text }]
    })
    const gone = old
      .filter(line => !taken.has(line))
      .map(({ text }) => ({ section, change: 'removed' as const, text }))
    return [...changes, ...gone]
  })
}

/** By keys first: a line that still exists must not count as the earlier form of another line. */
function pairs(old: readonly Line[], now: readonly Line[]): Map<Line, Line> {
  const left = new Set(old)
  const found = new Map<Line, Line>()
  const pair = (isSame: (one: Line, line: Line) => boolean) => {
    for (const line of now) {
      const known = found.has(line) ? undefined : [...left].find(one => isSame(one, line))
      if (known === undefined) continue
      left.delete(known)
      found.set(line, known)
    }
  }
  pair((one, line) => one.key === line.key)
  pair((one, line) => line.entries?.some(id => one.entries?.includes(id) === true) === true)
  return found
}

interface SectionDrift {
  readonly section: BundleSection
  /** Lines that the checkpoint did not have. */
  readonly added: number
  /** Lines that only the checkpoint has. */
  readonly removed: number
}

/** The differences to the checkpoint by section, without sections that are the same. Counts of files do not count: they change all the time. */
export function driftOf(checkpoint: Bundle, now: Bundle): SectionDrift[] {
  const changes = diffBundles(uncounted(checkpoint), uncounted(now))
  return BUNDLE_SECTIONS.flatMap(section => {
    const own = changes.filter(change => change.section === section)
    const added = own.filter(({ change }) => change !== 'removed').length
    const removed = own.filter(({ change }) => change !== 'added').length
    return own.length === 0 ? [] : [{ section, added, removed }]
  })
}

function uncounted(bundle: Bundle): Bundle {
  const { projectMap } = bundle
  const without = <T extends { readonly files: number }>(list: readonly T[]) =>
    list.map(one => ({ ...one, files: 0 }))
  return {
    ...bundle,
    projectMap: {
      ...projectMap,
      languages: without(projectMap.languages),
      folders: without(projectMap.folders),
    },
  }
}

/** Whether the change deserves a checkpoint: counts of files and the hour of the last check do not. */
export function isMeaningful(before: Bundle | undefined, after: Bundle): boolean {
  return before === undefined || canonicalJson(essence(before)) !== canonicalJson(essence(after))
}

function essence(bundle: Bundle): unknown {
  return {
    ...uncounted(bundle),
    validationCommands: bundle.validationCommands.map(({ sources: _, lastRunAt = '', ...command }) => ({
      ...command,
      lastRunAt: lastRunAt.slice(0, 10),
    })),
  }
}

function linesOf(bundle: Bundle, section: BundleSection): Line[] {
  switch (section) {
    case 'project': {
      const { name, description } = bundle.project
      return [
        { key: 'name', text: name },
        ...(description === undefined ? [] : [{ key: 'description', text: description }]),
      ]
    }
    case 'projectMap':
      return mapLines(bundle)
    case 'validationCommands':
      return bundle.validationCommands.map(({ command, lastOutcome }) => ({
        key: command,
        text: lastOutcome === undefined ? command : `${command} (${lastOutcome})`,
      }))
    default:
      return bundle[section].map(itemLine)
  }
}

function itemLine({ text, sources }: BundleItem): Line {
  return { key: fingerprint(text), text, entries: sources.filter(source => source.startsWith('entry:')) }
}

function mapLines({ projectMap }: Bundle): Line[] {
  const { languages, packages, entryPoints, scripts, folders } = projectMap
  const counted = (files: number) => `${files} ${files === 1 ? 'file' : 'files'}`
  return [
    ...languages.map(({ name, files }) => ({
      key: `language ${name}`,
      text: `language ${name}: ${counted(files)}`,
    })),
    ...packages.map(({ name, path, kind }) => ({
      key: `package ${path}`,
      text: `package ${name} (${kind}, ${path})`,
    })),
    ...entryPoints.map(({ path, what }) => ({ key: `entry ${path}`, text: `entry point ${path}: ${what}` })),
    ...scripts.map(({ name, command, path }) => ({
      key: `script ${path} ${name}`,
      text: `script ${name}: ${command}`,
    })),
    ...folders.map(({ path, files }) => ({
      key: `folder ${path}`,
      text: `folder ${path}: ${counted(files)}`,
    })),
  ]
}
