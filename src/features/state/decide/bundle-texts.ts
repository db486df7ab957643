import { BUNDLE_SECTIONS, type Bundle, type BundleSection } from '../../../kernel/model/bundle.ts'

/** One thing that a bundle says, in words that can be searched and shown. */
export interface BundleText {
  readonly section: BundleSection
  readonly text: string
  /** UTC ISO; absent where the bundle does not date it. */
  readonly since?: string
  readonly files: readonly string[]
  readonly sources: readonly string[]
}

/** Section after section, in the order of the bundle. */
export function bundleTexts(
  bundle: Bundle,
  sections: readonly BundleSection[] = BUNDLE_SECTIONS,
): BundleText[] {
  return sections.flatMap(section => textsOf(bundle, section))
}

function textsOf(bundle: Bundle, section: BundleSection): BundleText[] {
  switch (section) {
    case 'project': {
      const { name, description } = bundle.project
      return [plain(section, description === undefined ? name : `${name}: ${description}`)]
    }
    case 'projectMap':
      return mapTexts(bundle)
    case 'validationCommands':
      return bundle.validationCommands.map(({ command, lastOutcome, lastRunAt, sources }) => ({
        section,
        text: lastOutcome === undefined ? command : `${command}: ${lastOutcome}`,
        ...(lastRunAt !== undefined && { since: lastRunAt }),
        files: [],
        sources,
      }))
    default:
      return bundle[section].map(({ text, since, files = [], sources }) => ({
        section,
        text,
        since,
        files,
        sources,
      }))
  }
}

function mapTexts({ projectMap }: Bundle): BundleText[] {
  const { languages, packages, entryPoints, scripts, folders } = projectMap
  const files = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`
  const words = [
    ...languages.map(({ name, files: count }) => `language ${name}: ${files(count)}`),
    ...packages.map(({ name, path, kind }) => `package ${name} (${kind}) in ${path}`),
    ...entryPoints.map(({ path, what }) => `entry point ${path}: ${what}`),
    ...scripts.map(({ name, command, path }) => `script ${name} in ${path}: ${command}`),
    ...folders.map(({ path, files: count }) => `folder ${path}: ${files(count)}`),
  ]
  return words.map(text => plain('projectMap', text))
}

function plain(section: BundleSection, text: string): BundleText {
  return { section, text, files: [], sources: [] }
}
