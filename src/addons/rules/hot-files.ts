import type { Memory } from '../../kernel/memory.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { readCopy } from './decide/copied-text.ts'
import { HOST_FOLDERS } from './decide/host-folders.ts'
import type { HotFile, HotFinding } from './decide/lint.ts'
import type { RulePorts } from './decide/ports.ts'
import { projectFolder } from './decide/project-folder.ts'
import { type RuleFile, readRuleFile } from './decide/rule-file.ts'

export interface ReadRuleFile extends HotFile {
  readonly text: string
  readonly rules: RuleFile['rules']
  /** False: the host applies it to some files only, so it is not counted. */
  readonly isAlways: boolean
}

export interface HotFileSet {
  readonly folder: string
  readonly common: readonly ReadRuleFile[]
  /** Rule files of one host that are neither links to the common ones nor copies of them. */
  readonly ofHosts: readonly ReadRuleFile[]
  readonly findings: readonly HotFinding[]
}

export async function rulesFolder(memory: Memory): Promise<string> {
  return projectFolder((await memory.config())['hot.rules'], 'hot.rules')
}

/** Everything that is part of every conversation in this project. Reports files that cannot be read and counts the rest. */
export async function readHotFiles(memory: Memory & RulePorts): Promise<HotFileSet> {
  const folder = await rulesFolder(memory)
  const findings: HotFinding[] = []
  const common: ReadRuleFile[] = []
  for (const path of await commonPaths(memory, folder, findings)) {
    const file = await readOne(memory, path, findings)
    if (file !== undefined) common.push({ ...file, path, source: 'common' })
  }
  const ofHosts = await hostRules(memory, { folder, findings })
  return { folder, common, ofHosts, findings }
}

/** The Markdown files directly in the folder; subfolders have another purpose. */
async function commonPaths(memory: RulePorts, folder: string, findings: HotFinding[]): Promise<string[]> {
  const { paths, missing } = await memory.hotFiles.list(folder, 1)
  if (missing !== undefined) findings.push(unreadable(folder, missing))
  return paths.filter(path => /\.mdc?$/i.test(path))
}

async function hostRules(
  memory: RulePorts,
  { folder, findings }: { readonly folder: string; readonly findings: HotFinding[] },
): Promise<ReadRuleFile[]> {
  const found = new Map<string, ReadRuleFile>()
  for (const { host, rules } of HOST_FOLDERS) {
    if (rules === undefined) continue
    const { paths, missing } = await memory.hotFiles.list(rules.folder, rules.isFlat === true ? 1 : undefined)
    if (missing !== undefined) findings.push(unreadable(rules.folder, missing))
    for (const path of paths) {
      if (!/\.mdc?$/i.test(path) || path.startsWith(`${folder}/`) || found.has(path)) continue
      const state = await memory.hotFiles.look(path)
      // A link into the common folder is counted there; broken links are reported with the links.
      if (state.kind === 'link' && state.leadsTo?.startsWith(`${folder}/`) === true) continue
      if (state.kind === 'behind a link' && state.real?.startsWith(`${folder}/`) === true) continue
      const file = await readOne(memory, path, findings)
      if (file === undefined || readCopy(file.text, textHash)?.kind === 'hot') continue
      found.set(path, { ...file, path, source: 'host', host })
    }
  }
  return [...found.values()]
}

async function readOne(memory: RulePorts, path: string, findings: HotFinding[]) {
  const reading = await memory.hotFiles.read(path)
  if (reading.kind === 'text')
    return { ...readRuleFile(reading.text), text: reading.text, changedMs: reading.changedMs }
  if (reading.kind === 'unreadable') findings.push(unreadable(path, reading.why))
  return undefined
}

function unreadable(path: string, why: string): HotFinding {
  return {
    level: 'error',
    code: 'unreadable',
    path,
    message: `${path} ${why}; it is not counted.`,
    hint: 'Replace it by a plain text file inside the project, or remove it.',
  }
}

/** The files that are part of every conversation of at least one host. */
export function countedFiles({ common, ofHosts }: HotFileSet): readonly ReadRuleFile[] {
  return [...common, ...ofHosts].filter(({ isAlways }) => isAlways)
}
