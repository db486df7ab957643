import { ignoredNames, LAYOUT, matchesRow, rowsOf } from '../../../kernel/layout.ts'
import { parseAgentId, suggestAgentId } from '../../../kernel/model/agent-id.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { isVaultFolder } from '../../../kernel/model/vault-layout.ts'
import { counted, inMemory, shortName, type ValidationFinding } from './finding.ts'
import type { TreeItem } from './ports.ts'

/** A temporary file of this age belongs to a process that died. */
export const ABANDONED_MS = 3_600_000
export const TEMPORARY = '.cairn-tmp'
const WINDOWS_NAME = /[<>:"|?*\\]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const MAX_FINDINGS = 500
const IGNORED: ReadonlySet<string> = new Set(ignoredNames())
/** What a listing shows, before any file is opened. */
export function judgeTree(items: readonly TreeItem[], nowMs: number): ValidationFinding[] {
  const findings: ValidationFinding[] = []
  const add = (finding: ValidationFinding) => {
    if (findings.length < MAX_FINDINGS) findings.push(finding)
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
        message: 'this is neither a file nor a folder, and Cairn does not read it',
        fix: 'Remove it.',
      })
    if (name.endsWith(TEMPORARY) && nowMs - item.mtimeMs > ABANDONED_MS && !isInLeftover(item.path))
      add({
        code: 'leftover',
        severity: 'warning',
        path,
        message: 'a temporary file of a process that died; it is not used',
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
        message: `on many systems this and ${inMemory(shortName(other))} are the same name, and a clone has only one of them`,
        fix: 'Put both together under one name.',
      })
    if (isCommitted(item.path) && WINDOWS_NAME.test(name))
      add({
        code: 'name_not_portable',
        severity: 'warning',
        path,
        message: 'Windows does not allow this file name, so a clone there would fail',
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
          fix: 'Replace the link with its target, or remove it.',
        }
      : {
          code: 'link_broken',
          severity: 'warning',
          path,
          message: 'the target of the link is missing',
          fix: 'Remove the link.',
        },
  )
}

/** An unfinished batch is one leftover, with all its files. */
function isInLeftover(path: string): boolean {
  return path.slice(0, path.lastIndexOf('/') + 1).includes(`${TEMPORARY}/`)
}

/** Only committed files reach other systems. */
function isCommitted(path: string): boolean {
  const [first = ''] = path.split('/')
  return !IGNORED.has(first) && !path.endsWith(TEMPORARY)
}

/** Files that Cairn does not read. */
function judgePlace({ path, kind }: TreeItem, add: Add): void {
  const [first = '', second, third] = path.split('/')
  if (path.endsWith(TEMPORARY) || path.endsWith('.bak') || isOwnFolder(first)) return
  if (second === undefined) {
    if (kind === 'file' && rowsOf(first).length === 0)
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
  if (!isVaultFolder(first)) return
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
  else if (!isVaultFile && kind === 'file' && !isNamed(path))
    add({
      code: 'file_unknown',
      severity: 'note',
      path: inMemory(path),
      message: 'this is not a vault file, and Cairn does not read it',
      fix: `The files of a vault are ${CATEGORIES.map(category => `${category}.md`).join(', ')}.`,
    })
}

/** A folder of Cairn itself, with checks of its own. */
function isOwnFolder(name: string): boolean {
  return IGNORED.has(name) && !isVaultFolder(name)
}

/** In a vault, and not an entry. */
function isNamed(path: string): boolean {
  return matchesRow(path, LAYOUT.persona) || matchesRow(path, LAYOUT.folderMark)
}

function judgeAgentFolder(name: string, add: Add): void {
  if (!isVaultFolder(name)) return
  try {
    parseAgentId(name)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    add({
      code: 'agent_name_invalid',
      severity: 'warning',
      path: inMemory(name),
      message: 'no agent can have this id, so its vault is never written',
      fix: `Rename the folder, for example to ${suggestAgentId(name)}.`,
    })
  }
}

/** One finding for all: mostly every file has the same rights. */
function judgeRights(items: readonly TreeItem[], add: Add): void {
  const open = items.filter(item => item.isWorldWritable && item.kind !== 'link')
  const [first] = open
  if (first === undefined) return
  add({
    code: 'world_writable',
    severity: 'warning',
    path: inMemory(first.path),
    message: `every user of this machine may write here${open.length === 1 ? '' : `, and to ${counted(open.length - 1, 'other file')} of the memory`}: they could put anything into the context of your agents`,
    fix: 'chmod -R o-w .memory',
  })
}
