import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { areaOf } from '../../../kernel/model/vault-layout.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { readGitFields } from '../../../kernel/system/git.ts'
import type { DoctorCheck } from '../check.ts'

const PATIENCE_MS = 10_000
const MAX_LOOKED_UP = 100
const MAX_NAMED = 5

interface Gone {
  readonly id: string
  readonly writtenMs: number
  readonly seenGoneMs: number
}

/**
 * git replaces files of the branch that it leaves without asking anybody: an entry that is written in that moment may end on neither branch.
 * It is in the journal. Reported is what was found gone after a switch and is in no commit.
 */
export async function checkBranches(memory: Memory): Promise<DoctorCheck[]> {
  const { root } = memoryFolderOf(memory)
  if (nodeDisk.fileInfo(`${root}/.git`) === undefined) return []
  const gone = await goneEntries(memory)
  if (gone.length === 0) return []
  const switches = await gitLines(root, ['log', '-g', '-500', '--format=%ct %gs%x00', 'HEAD', '--'])
  const switchedMs = switches
    .filter(line => line.includes(' checkout: '))
    .map(line => Number.parseInt(line, 10) * 1_000)
  const suspects = gone.filter(({ writtenMs, seenGoneMs }) =>
    switchedMs.some(ms => ms >= writtenMs - 1_000 && ms <= seenGoneMs),
  )
  const lost: string[] = []
  for (const { id } of suspects.slice(0, MAX_LOOKED_UP)) {
    const commits = await gitLines(root, ['log', '--all', '-1', '--format=%H%x00', '-S', id, '--', '.memory'])
    if (commits.length === 0) lost.push(id)
  }
  if (lost.length === 0) return []
  const [what, more] = [lost.length === 1 ? 'entry is' : 'entries are', lost.length > MAX_NAMED ? ', …' : '']
  return [
    {
      name: 'branches',
      result: 'warning',
      message: `${lost.length} ${what} on no branch: git switched branches after the write. ${lost.slice(0, MAX_NAMED).join(', ')}${more}`,
      hint: '`cairn restore <id>` brings an entry back from the journal.',
    },
  ]
}

/** Entries that git keeps, whose last record says that they were found gone. */
async function goneEntries(memory: Memory): Promise<Gone[]> {
  const shared = (await memory.config())['vault.share']
  const seen = new Set<string>()
  const seenGone = new Map<string, number>()
  const gone: Gone[] = []
  for await (const { at, action, changes } of memory.store.readJournal({})) {
    for (const change of changes) {
      if (change.type !== 'entry') continue
      const id = (change.after ?? change.before)?.id ?? ''
      const seenGoneMs = seenGone.get(id)
      if (seenGoneMs !== undefined) {
        gone.push({ id, seenGoneMs, writtenMs: Date.parse(at) })
        seenGone.delete(id)
      } else if (!seen.has(id) && action === 'observe' && change.after === null && change.before !== null) {
        if (areaOf(change.before, shared) === 'vault') seenGone.set(id, Date.parse(at))
      }
      seen.add(id)
    }
  }
  return gone
}

async function gitLines(root: string, words: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for await (const field of readGitFields(words, root, { maxFieldLength: 1_000, patienceMs: PATIENCE_MS }))
    if (field.trim() !== '') lines.push(field.trim())
  return lines
}
