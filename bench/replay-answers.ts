import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Memory } from '../src/api.ts'
import { plainEnvironment } from './child-cpu.ts'
import { HELLO } from './mcp-process.ts'
import { readJsonLines } from './replay-data.ts'
import { normalise } from './replay-match.ts'

/** What a model that played the agent of one session answered to the product's question. */
export interface AgentAnswer {
  readonly project: string
  readonly session: string
  readonly entries: readonly AnsweredEntry[]
  readonly handoff?: string
}

export interface AnsweredEntry {
  readonly statement: string
  readonly why?: string
  readonly kind?: string
  readonly files?: readonly string[]
  /** The id of a stored entry, or its text. */
  readonly supersedes?: string
  readonly quote?: string
}

export interface SavedAnswer {
  readonly stored: number
  /** The reason of each refused save. */
  readonly refused: readonly string[]
  /** `supersedes` that named no stored entry. */
  readonly unresolved: number
}

/** By `project|session`. */
export function readAnswers(file: string | undefined): ReadonlyMap<string, AgentAnswer> {
  const answers = file === undefined ? [] : readJsonLines<AgentAnswer>(file)
  if (file !== undefined && answers.length === 0) throw new Error(`${file} has no answers`)
  return new Map(answers.map(answer => [`${answer.project}|${answer.session}`, answer]))
}

interface AgentSave {
  readonly entries: readonly Omit<AnsweredEntry, 'quote'>[]
  readonly handoff?: string
  readonly session: string
}

/** What the library has from 0.2.0 on; an earlier version is measured without its checks. */
interface SavesOfAgents {
  rememberAll?(save: AgentSave): Promise<{
    readonly stored: readonly unknown[]
    readonly refused: readonly { readonly statement: string; readonly reason: string }[]
  }>
}

/** Saves an answer the way the agent of that session saves: as its own candidates. The one place that knows how. */
export async function saveAsAgent(
  memory: Memory,
  session: string,
  { entries, handoff }: AgentAnswer,
): Promise<SavedAnswer> {
  let unresolved = 0
  const resolved = []
  for (const { quote: _, supersedes, ...entry } of entries) {
    const older = supersedes ? await findStored(memory, supersedes) : undefined
    if (supersedes && older === undefined) unresolved++
    resolved.push({ ...entry, ...(older !== undefined && { supersedes: older }) })
  }
  const save = { entries: resolved, session, ...(handoff && { handoff }) }
  const saves: Memory & SavesOfAgents = memory
  if (saves.rememberAll === undefined) return { ...(await saveOneByOne(memory, save)), unresolved }
  const { stored, refused } = await saves.rememberAll(save)
  const reasons = refused.map(({ statement, reason }) => `${statement}: ${reason}`)
  return { stored: stored.length, refused: reasons, unresolved }
}

async function saveOneByOne(
  memory: Memory,
  { entries, handoff, session }: AgentSave,
): Promise<Omit<SavedAnswer, 'unresolved'>> {
  const refused: string[] = []
  let stored = 0
  const whose = { session, origin: 'agent', status: 'candidate' } as const
  const texts = entries.map(({ statement, why, kind, files, supersedes }) => ({
    content: why ? `${statement}\nWhy: ${why}` : statement,
    kind,
    files,
    ...(supersedes !== undefined && { lineage: { supersedes } }),
  }))
  for (const text of [...texts, ...(handoff ? [{ content: handoff, kind: 'handoff' }] : [])]) {
    try {
      await memory.remember({ ...text, ...whose })
      stored++
    } catch (error) {
      refused.push(`${text.content}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { stored, refused }
}

/** The id of the stored entry that is named, by its id or by its words. */
async function findStored(memory: Memory, named: string): Promise<string | undefined> {
  const id = named.replace(/^#/, '')
  const words = normalise(named)
  const { hits } = await memory.search(named.slice(0, 500), { limit: 20, words: true, entriesOnly: true })
  const hit = hits.find(({ entry }) => {
    const content = normalise(entry.content)
    return entry.id === id || content === words || content.startsWith(`${words} why `)
  })
  if (hit !== undefined) return hit.entry.id
  return /^[\w.-]{1,80}$/.test(id) ? (await memory.get(id))?.id : undefined
}

export interface SessionQuestion {
  /** False: no host would ask the agent of this session. */
  readonly isWorthAsking: boolean
  readonly text: string
  readonly tokens: number
}

interface QuestionsForAgents {
  question?(session: string): Promise<SessionQuestion>
}

/** The question that this session's agent would receive now; undefined for a version that asks nothing. */
export async function questionFor(memory: Memory, session: string): Promise<SessionQuestion | undefined> {
  const sessions: Memory['sessions'] & QuestionsForAgents = memory.sessions
  return sessions.question?.(session)
}

interface ListedTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: unknown
}

/** The tools as `cairn mcp` describes them to a model. */
export async function listTools(commandLine: string, root: string): Promise<readonly ListedTool[]> {
  const child = spawn(process.execPath, [commandLine, 'mcp'], {
    cwd: root,
    env: plainEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    child.stdin.write(`${HELLO.map(message => JSON.stringify(message)).join('\n')}\n`)
    for await (const line of createInterface({ input: child.stdout })) {
      const answer = JSON.parse(line) as { id?: number; result?: { tools?: readonly ListedTool[] } }
      if (answer.id === 2) return answer.result?.tools ?? []
    }
    throw new Error('cairn mcp ended before it listed its tools')
  } finally {
    child.kill()
  }
}
