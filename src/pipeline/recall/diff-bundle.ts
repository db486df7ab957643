import { BUNDLE_SECTIONS, type Bundle, type BundleItem, type BundleSection } from '../../model/bundle.ts'
import { canonicalJson } from '../../model/canonical-json.ts'
import { fingerprint } from '../../text/fingerprint.ts'

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
  /** Other names of the same thing. */
  readonly also?: readonly string[]
}

/** What became of each line, section by section, in the order of the new bundle; then what is gone. */
export function diffBundles(before: Bundle | undefined, after: Bundle): BundleChange[] {
  return BUNDLE_SECTIONS.flatMap(section => {
    const old = before === undefined ? [] : linesOf(before, section)
    const now = linesOf(after, section)
    const taken = new Set<Line>()
    const changes = now.flatMap((line): BundleChange[] => {
      const known =
        old.find(one => !taken.has(one) && one.key === line.key) ??
        old.find(
          one => !taken.has(one) && line.also?.some(name => one.also?.includes(name) === true) === true,
        )
      if (known === undefined) return [{ section, change: 'added', text: line.text }]
      taken.add(known)
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

/** Whether a checkpoint is worth it: counts of files, and at what hour a check was last run, are not. */
export function isMeaningful(before: Bundle | undefined, after: Bundle): boolean {
  return before === undefined || canonicalJson(essence(before)) !== canonicalJson(essence(after))
}

function essence(bundle: Bundle): unknown {
  const { projectMap, validationCommands } = bundle
  const uncounted = ({ files: _, ...rest }: { readonly files: number }) => rest
  return {
    ...bundle,
    projectMap: {
      ...projectMap,
      languages: projectMap.languages.map(uncounted),
      folders: projectMap.folders.map(uncounted),
    },
    validationCommands: validationCommands.map(({ sources: _, lastRunAt = '', ...command }) => ({
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
  return { key: fingerprint(text), text, also: sources }
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
