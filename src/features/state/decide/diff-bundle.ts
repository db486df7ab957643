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
  /** What it was before it was changed. */
  readonly before?: string
  readonly why?: string
}

interface Line {
  /** What makes it the same thing in another state. */
  readonly key: string
  readonly text: string
  /** Entries that say it: in whatever words, an entry is the same. An event may say several things. */
  readonly entries?: readonly string[]
}

/** What became of each line, section by section, in the order of the new bundle; then what is gone. */
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

/** By their keys first: what is still there must not be taken for what another line was before. */
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

export interface SectionDrift {
  readonly section: BundleSection
  /** Lines that the checkpoint did not have. */
  readonly added: number
  /** Lines of it that are gone. */
  readonly removed: number
}

/** Section by section what is not as in the checkpoint; one that is the same is not named. How many files there are changes all the time. */
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

/** Whether a checkpoint is worth it: counts of files, and at what hour a check was last run, are not. */
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
