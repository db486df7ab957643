import type { Memory } from '../../kernel/memory.ts'
import { nameOfPlace } from '../../kernel/memory-place.ts'
import type { ProjectFacts, ProjectMap } from '../../kernel/model/bundle.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import { factsOf, ignoredPaths, MAP_LIMITS, manifestsAmong, readProject } from './decide/project-map.ts'
import { PROJECTION_NAMES } from './decide/projection.ts'
import { projectionFolder } from './projections.ts'

interface ScannedProject {
  readonly map: ProjectMap
  readonly facts: ProjectFacts
  readonly packageManager: string
  readonly problems: readonly Problem[]
}

/** Read although the walk skips its folder. */
const HIDDEN_MANIFESTS = ['.cargo/config.toml']
const README = /^readme(?:\.(?:md|markdown|txt|rst))?$/i

/** Reads the repository: a bounded walk and a few manifests. No process is started, no link is followed out of it. */
export async function scanProject(
  memory: Memory & FreshnessPorts,
  clean: (text: string) => string,
): Promise<ScannedProject> {
  const isIgnored = ignoredPaths((await textOf(memory, '.gitignore')) ?? '')
  // Files that Cairn made of the bundle are not part of the bundle.
  const isOwn = projectionTest(await projectionFolder(memory))
  let items = 0
  const listed = await memory.projectFiles.list(MAP_LIMITS.items, path => {
    items++
    return isIgnored(path)
  })
  const files = listed.filter(path => !isOwn(path))
  const textByPath = new Map<string, string | 'too_large'>()
  const present = await memory.projectFiles.see(HIDDEN_MANIFESTS)
  const hidden = HIDDEN_MANIFESTS.filter(path => present.get(path)?.kind === 'file')
  for (const path of [...manifestsAmong(files), ...hidden]) {
    const sample = await memory.projectFiles.read(path)
    if (sample !== undefined)
      textByPath.set(path, sample.kind === 'whole' ? new TextDecoder().decode(sample.bytes) : 'too_large')
  }
  const { map, facts, packageManager, problems } = readProject({
    folder: nameOfPlace(memory),
    files,
    isPartial: items >= MAP_LIMITS.items,
    textByPath,
  })
  const readme = files.find(file => README.test(file))
  return {
    map: cleaned(map, clean),
    facts: factsOf(facts, {
      projectText: await memory.projectText(),
      readme: readme === undefined ? undefined : await textOf(memory, readme),
      clean,
    }),
    packageManager,
    problems,
  }
}

function projectionTest(folder: string): (path: string) => boolean {
  const isRoot = folder === '' || folder === '.'
  const own = new Set(isRoot ? [] : PROJECTION_NAMES.map(name => `${folder}/${name}`))
  return path => own.has(path)
}

async function textOf(memory: FreshnessPorts, file: string): Promise<string | undefined> {
  const sample = await memory.projectFiles.read(file)
  if (sample === undefined) return undefined
  return new TextDecoder().decode(sample.kind === 'whole' ? sample.bytes : sample.head)
}

/** A script may contain a token. */
function cleaned(map: ProjectMap, clean: (text: string) => string): ProjectMap {
  return {
    ...map,
    packages: map.packages.map(one => ({ ...one, name: clean(one.name) })),
    entryPoints: map.entryPoints.map(one => ({ ...one, what: clean(one.what) })),
    scripts: map.scripts.map(one => ({ ...one, name: clean(one.name), command: clean(one.command) })),
  }
}
