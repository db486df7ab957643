import { sessionKeyOf } from '../../features/brief/brief.ts'
import type { BriefPorts } from '../../features/brief/decide/ports.ts'
import { buildPromptBrief } from '../../features/brief/decide/prompt-brief.ts'
import type { SearchPorts } from '../../features/search/decide/ports.ts'
import { relativePath } from '../../features/sessions/decide/capture-message.ts'
import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { HOSTS } from '../hosts.ts'
import type { HookEvent } from './decide/hook-event.ts'

/** What an agent must know before it touches a file. Everything else about it comes with the prompt. */
const WARNING_KINDS = ['warning', 'error', 'gotcha']
const MAX_FILES = 3
const MAX_WARNINGS = 3
/** The maximum for one tool run; warnings that were sent are not repeated. */
const WARNING_TOKENS = 250
const LISTED = 10

/** The warnings that name these files, once a session. */
export async function fileWarnings(
  memory: Memory & SearchPorts & BriefPorts,
  { host, session = '' }: HookEvent,
  files: readonly string[],
): Promise<string> {
  await memory.store.refresh()
  const sent = await memory.briefs.sentIn(sessionKeyOf(session))
  const found = new Map<string, Entry>()
  for (const file of files.slice(0, MAX_FILES).map(name => relativePath(name, rootOf(memory))))
    for (const kind of WARNING_KINDS) {
      const filter = {
        file,
        kind,
        exceptSuggestions: true as const,
        ...(memory.actor.agent !== undefined && { reader: memory.actor.agent }),
      }
      const { entries } = await memory.search.listEntries({ filter, limit: LISTED, offset: 0 })
      for (const entry of entries) if (!sent.has(entry.id)) found.set(entry.id, entry)
    }
  if (found.size === 0) return ''
  const marks = await memory.sources.marks([...found.keys()], memory.actor.agent)
  const shown = [...found.values()]
    .filter(({ id }) => marks.get(id)?.supersededBy === undefined)
    .sort((a, b) => b.importance - a.importance)
    .slice(0, MAX_WARNINGS)
  const brief = buildPromptBrief(
    {
      alwaysInject: [],
      retrieval: shown.map(entry => {
        const own = marks.get(entry.id)
        return own === undefined ? { entry } : { entry, marks: own }
      }),
      alreadySent: sent,
    },
    { format: HOSTS[host].brief.format === 'xml' ? 'xml' : 'plain', totalTokens: WARNING_TOKENS },
  )
  if (brief.text !== '') await recordSent(memory, { host, session, files, brief })
  return brief.text
}

async function recordSent(
  memory: Memory & BriefPorts,
  given: {
    readonly host: string
    readonly session: string
    readonly files: readonly string[]
    readonly brief: ReturnType<typeof buildPromptBrief>
  },
): Promise<void> {
  const { brief, host, session } = given
  const nowMs = memory.clock.nowMs()
  const { redact } = await import('../../kernel/text/redaction/redact.ts')
  try {
    await memory.briefs.record(
      {
        id:
          nowMs.toString(36).padStart(9, '0') +
          memory.clock
            .random(36 ** 4)
            .toString(36)
            .padStart(4, '0'),
        at: new Date(nowMs).toISOString(),
        kind: 'prompt',
        host,
        session: redact(session).text,
        prompt: '',
        files: given.files.map(file => redact(relativePath(file, rootOf(memory))).text),
        tokens: brief.tokens,
        ms: 0,
        included: brief.included.map(({ id, tier, tokens }) => ({
          ...(id !== undefined && { id }),
          tier,
          tokens,
        })),
        left: brief.left,
        degraded: [],
      },
      sessionKeyOf(session),
    )
  } catch (error) {
    // The warning is sent anyway, and may be sent again.
    if (!(error instanceof CairnError)) throw error
  }
}
