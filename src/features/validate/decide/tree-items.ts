import { isTaken, parseAgentId, suggestAgentId } from '../../../kernel/model/agent-id.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { counted, inMemory, shortName, type ValidationFinding } from './finding.ts'
import type { TreeItem } from './memory-tree.ts'

/** So old, a temporary file belongs to a process that died. */
export const ABANDONED_MS = 3_600_000
export const TEMPORARY = '.cairn-tmp'
const WINDOWS_NAME = /[<>:"|?*\\]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const MAX_TOLD = 50
/** Files that lie at the top of a memory. */
const TOP_FILES: ReadonlySet<string> = new Set([
  '_project.md',
  'config.json',
  'curation.json',
  'sources.json',
  'state.json',
  '.gitignore',
  '.gitattributes',
  '.DS_Store',
])
/** The role of an agent, for whoever runs it (`cairn agent run`): no vault file. */
const PERSONA = '_persona.md'
const TOP_FOLDERS: ReadonlySet<string> = new Set([
  'history',
  'archive',
  'sessions',
  'conversations',
  // What only this clone has: curation.json, and the vaults of candidates, suggestions and handoffs.
  'local',
  '.vault',
])

/** What a listing tells, before anything is opened. */
export function judgeTree(items: readonly TreeItem[], nowMs: number): ValidationFinding[] {
  const findings: ValidationFinding[] = []
  const add = (finding: ValidationFinding) => {
    if (findings.length < 10 * MAX_TOLD) findings.push(finding)
  }
  const nameByFolded = new Map<string, string>()
  for (const item of items) {
    const path = inMemory(item.path)
    const name = item.path.slice(item.path.lastIndexOf('/') + 1)
    judgeLink(item, path, add)
    if (item.kind === 'other')
      add({
        code: 'not_a_file',
        severity: 'error',
        path,
        message: 'this is neither a file nor a folder, and nothing reads it',
        fix: 'Remove it.',
      })
    if (name.endsWith(TEMPORARY) && nowMs - item.mtimeMs > ABANDONED_MS && !isInLeftover(item.path))
      add({
        code: 'leftover',
        severity: 'warning',
        path,
        message: 'a process that died left this behind; it is not used',
        fix: '`cairn validate --fix` removes it.',
        mend: { kind: 'remove_leftover', path: item.path },
      })
    const folded = item.path.normalize('NFC').toLowerCase()
    const other = nameByFolded.get(folded)
    if (other === undefined) nameByFolded.set(folded, item.path)
    else
      add({
        code: 'names_alike',
        severity: 'error',
        path,
        message: `on many systems this and ${inMemory(shortName(other))} are one name, and a clone has only one of them`,
        fix: 'Put both together under one name.',
      })
    if (isShared(item.path) && WINDOWS_NAME.test(name))
      add({
        code: 'name_not_portable',
        severity: 'warning',
        path,
        message: 'Windows cannot have a file of this name, so that no clone there would work',
        fix: 'Rename it.',
      })
    judgePlace(item, add)
  }
  judgeRights(items, add)
  return findings
}

type Add = (finding: ValidationFinding) => void

function judgeLink(item: TreeItem, path: string, add: Add): void {
  if (item.kind !== 'link' || item.leads === 'inside') return
  add(
    item.leads === 'outside'
      ? {
          code: 'link_outside',
          severity: 'error',
          path,
          message: 'a link that leads out of .memory; it is neither read nor written',
          fix: 'Replace the link by what it points to, or remove it.',
        }
      : {
          code: 'link_broken',
          severity: 'warning',
          path,
          message: 'a link to something that is not there',
          fix: 'Remove the link.',
        },
  )
}

/** A half-written batch is one leftover, with all that is in it. */
function isInLeftover(path: string): boolean {
  return path.slice(0, path.lastIndexOf('/') + 1).includes(`${TEMPORARY}/`)
}

/** What is committed: everything but Cairn's own folders and the private vault. */
function isShared(path: string): boolean {
  const [first = ''] = path.split('/')
  return !TOP_FOLDERS.has(first) && first !== 'private' && !path.endsWith(TEMPORARY)
}

/** Whatever lies where nobody looks. */
function judgePlace({ path, kind }: TreeItem, add: Add): void {
  const [first = '', second, third] = path.split('/')
  if (path.endsWith(TEMPORARY) || path.endsWith('.bak') || TOP_FOLDERS.has(first)) return
  if (second === undefined) {
    if (kind === 'file' && !TOP_FILES.has(first) && !isOwnCopy(first))
      add({
        code: 'file_unknown',
        severity: 'note',
        path: inMemory(path),
        message: 'Cairn does not read this file',
        fix: first.endsWith('.md')
          ? `\`cairn migrate\` makes a vault of a flat memory file; otherwise move it out of .memory.`
          : 'Move it out of .memory.',
      })
    if (kind === 'folder') judgeAgentFolder(first, add)
    return
  }
  if (first.startsWith('.') || first.startsWith('_') || isTaken(first)) return
  const isCategoryName = CATEGORIES.some(category => second === `${category}.md` || second === category)
  const isVaultFile = isCategoryName && (third === undefined || (third.endsWith('.md') && kind !== 'folder'))
  if (isCategoryName && kind === 'folder' && second.endsWith('.md'))
    add({
      code: 'vault_file_is_folder',
      severity: 'error',
      path: inMemory(path),
      message: 'a folder, where a vault file should be',
      fix: 'Move the folder away.',
    })
  else if (!isVaultFile && kind === 'file' && third !== '.gitkeep' && path !== `${first}/${PERSONA}`)
    add({
      code: 'file_unknown',
      severity: 'note',
      path: inMemory(path),
      message: 'this is no vault file, and Cairn does not read it',
      fix: `The files of a vault are ${CATEGORIES.map(category => `${category}.md`).join(', ')}.`,
    })
}

/** `state.json.damaged-1773679871839`: kept beside what took its place. */
function isOwnCopy(name: string): boolean {
  return /\.damaged-\d+$/.test(name)
}

function judgeAgentFolder(name: string, add: Add): void {
  if (name.startsWith('.') || name.startsWith('_') || isTaken(name)) return
  try {
    parseAgentId(name)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    add({
      code: 'agent_name_invalid',
      severity: 'warning',
      path: inMemory(name),
      message: 'no agent can have this id, so nothing is ever written to its vault',
      fix: `Rename the folder, for example to ${suggestAgentId(name)}.`,
    })
  }
}

/** One finding: where one file is open to all, mostly every file is. */
function judgeRights(items: readonly TreeItem[], add: Add): void {
  const open = items.filter(item => item.isWorldWritable && item.kind !== 'link')
  const [first] = open
  if (first === undefined) return
  add({
    code: 'world_writable',
    severity: 'warning',
    path: inMemory(first.path),
    message: `everybody on this machine may write here${open.length === 1 ? '' : `, and to ${counted(open.length - 1, 'other file')} of the memory`}: they could tell your agents anything`,
    fix: 'chmod -R o-w .memory',
  })
}
