import type { Bundle, BundleItem } from '../../../kernel/model/bundle.ts'
import { cutLine } from './markdown-line.ts'

/** Limits for a state that came with a clone or was edited by hand; our own states are smaller. */
export const MAX_ITEMS = 200
const MAX_SOURCES = 20
/** Cut after cleaning: half a secret would not be recognised. */
export const MAX_CHARACTERS = 2_000

/** Passes every text of the bundle through `cleanWhole` and cuts lists and texts. Items without words are removed. */
export function cleanBundle(bundle: Bundle, cleanWhole: (text: string) => string): Bundle {
  const clean = (text: string) => cutLine(cleanWhole(text), MAX_CHARACTERS)
  const some = <T, R>(list: readonly T[], make: (item: T) => R): R[] => list.slice(0, MAX_ITEMS).map(make)
  const items = (list: readonly BundleItem[]) =>
    some(list, ({ text, since, sources, files }) => ({
      text: clean(text),
      since: clean(since),
      sources: sources.slice(0, MAX_SOURCES).map(clean),
      ...(files !== undefined && { files: files.slice(0, MAX_SOURCES).map(clean) }),
    })).filter(({ text }) => text.trim() !== '')
  const { project, projectMap } = bundle
  return {
    project: {
      // A single word is not a line of a brief, even if the folder is called `project` or `pinned`.
      name: clean(project.name).replace(/^\| (?=[\w.-]+$)/, ''),
      ...(project.description !== undefined && { description: clean(project.description) }),
    },
    projectMap: {
      languages: some(projectMap.languages, ({ name, files }) => ({ name: clean(name), files })),
      packages: some(projectMap.packages, ({ name, path, kind }) => ({
        name: clean(name),
        path: clean(path),
        kind: clean(kind),
      })),
      entryPoints: some(projectMap.entryPoints, ({ path, what }) => ({
        path: clean(path),
        what: clean(what),
      })),
      scripts: some(projectMap.scripts, ({ name, command, path }) => ({
        name: clean(name),
        command: clean(command),
        path: clean(path),
      })),
      folders: some(projectMap.folders, ({ path, files }) => ({ path: clean(path), files })),
    },
    currentFocus: items(bundle.currentFocus),
    gotchas: items(bundle.gotchas),
    nextSteps: items(bundle.nextSteps),
    validationCommands: some(bundle.validationCommands, ({ command, lastOutcome, lastRunAt, sources }) => ({
      command: clean(command),
      ...(lastOutcome !== undefined && { lastOutcome }),
      ...(lastRunAt !== undefined && { lastRunAt: clean(lastRunAt) }),
      sources: sources.slice(0, MAX_SOURCES).map(clean),
    })).filter(({ command }) => command.trim() !== ''),
  }
}
