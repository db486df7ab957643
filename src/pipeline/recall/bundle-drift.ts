import { BUNDLE_SECTIONS, type Bundle, type BundleSection } from '../../model/bundle.ts'

export interface SectionDrift {
  readonly section: BundleSection
  /** Lines that the checkpoint did not have. */
  readonly added: number
  /** Lines of it that are gone. */
  readonly removed: number
}

/** Section by section what is not as in the checkpoint; one that is the same is not named. */
export function driftOf(checkpoint: Bundle, now: Bundle): SectionDrift[] {
  return BUNDLE_SECTIONS.flatMap(section => {
    const before = new Set(linesOf(checkpoint, section))
    const after = new Set(linesOf(now, section))
    const added = [...after].filter(line => !before.has(line)).length
    const removed = [...before].filter(line => !after.has(line)).length
    return added + removed === 0 ? [] : [{ section, added, removed }]
  })
}

/** What a reader of the bundle sees: how many files there are, and when a check last ran, change all the time. */
function linesOf(bundle: Bundle, section: BundleSection): string[] {
  switch (section) {
    case 'project':
      return [bundle.project.name, bundle.project.description ?? '']
    case 'projectMap': {
      const { languages, packages, entryPoints, scripts, folders } = bundle.projectMap
      return [
        ...languages.map(({ name }) => `language ${name}`),
        ...packages.map(({ name, path, kind }) => `package ${name} ${path} ${kind}`),
        ...entryPoints.map(({ path, what }) => `entry point ${path} ${what}`),
        ...scripts.map(({ name, command, path }) => `script ${name} ${command} ${path}`),
        ...folders.map(({ path }) => `folder ${path}`),
      ]
    }
    case 'validationCommands':
      return bundle.validationCommands.map(({ command, lastOutcome }) => `${command} ${lastOutcome ?? ''}`)
    default:
      return bundle[section].map(({ text }) => text)
  }
}
