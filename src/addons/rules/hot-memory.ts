import type { BriefPorts } from '../../features/brief/decide/ports.ts'
import { ownText, readablePart } from '../../features/learning/decide/spoken-text.ts'
import type { SearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import { hasPorts } from '../../kernel/checkout.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import {
  adviseHot,
  type HotAdvice,
  type InjectedEntry,
  printsOf,
  type SessionSubject,
  sessionSubject,
} from './decide/advise.ts'
import {
  type HotFinding,
  type HotLimits,
  type HotTotals,
  lintAges,
  lintSizes,
  totalsOf,
} from './decide/lint.ts'
import type { RulePorts } from './decide/ports.ts'
import { projectFolder } from './decide/project-folder.ts'
import { RULE_TEMPLATES } from './decide/rule-templates.ts'
import { countedFiles, type HotFileSet, type ReadRuleFile, readHotFiles, rulesFolder } from './hot-files.ts'
import { unlessMisconfigured } from './injected-secrets.ts'
import { checkRuleLinks, type LinkReport, linkFindings } from './linking.ts'

interface LaidOut {
  readonly path: string
  /** `kept`: a file with that name already existed. */
  readonly outcome: 'written' | 'kept'
}

/** Writes the seed's three files; existing files stay unchanged. */
export async function initHotMemory(
  memory: Memory & RulePorts,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<{ readonly files: readonly LaidOut[]; readonly record: string | null }> {
  const folder = await rulesFolder(memory)
  const planned = RULE_TEMPLATES.map(({ name, text }) => ({ path: `${folder}/${name}`, text }))
  if (dryRun) {
    const files: LaidOut[] = []
    for (const { path } of planned)
      files.push({ path, outcome: (await memory.hotFiles.exists(path)) ? 'kept' : 'written' })
    return { files, record: null }
  }
  let files: LaidOut[] = []
  const record = await memory.store.write(memory.actor, async view => {
    const changes = []
    files = []
    for (const { path, text } of planned) {
      const isThere = (await view.readFile(path)) !== undefined
      files.push({ path, outcome: isThere ? 'kept' : 'written' })
      if (!isThere) changes.push({ type: 'file' as const, path, before: null, after: text })
    }
    return { action: 'edit-files', changes }
  })
  return { files, record: record?.id ?? null }
}

interface HotReport {
  readonly files: readonly ReadRuleFile[]
  readonly totals: HotTotals
  readonly limits: HotLimits
  readonly links: LinkReport
  readonly findings: readonly HotFinding[]
}

export interface HotState extends HotReport {
  readonly set: HotFileSet
}

/** The files that are part of every conversation, their size, and their problems. */
export async function hotState(memory: Memory & RulePorts): Promise<HotState> {
  const config = await memory.config()
  const set = await readHotFiles(memory)
  const limits = limitsOf(config)
  const counted = countedFiles(set)
  const links = await checkRuleLinks(memory, set)
  const findings = [
    ...set.findings,
    ...lintSizes(counted, limits),
    ...lintAges(set.common, memory.clock.nowMs()),
    ...counted.flatMap(secretFindings),
    ...linkFindings(links),
  ]
  const files = [...set.common, ...set.ofHosts]
  return { set, files, totals: totalsOf(counted), limits, links, findings }
}

/** What exceeds its budget: a file its own, or all files (named by their folder) the project's. */
export async function overBudget(memory: Memory & Partial<RulePorts>): Promise<HotFinding[]> {
  if (!hasPorts(memory, 'hotFiles')) return []
  const set = await unlessMisconfigured(undefined, () => readHotFiles(memory))
  if (set === undefined) return []
  return lintSizes(countedFiles(set), limitsOf(await memory.config())).flatMap(finding =>
    finding.code === 'over_budget'
      ? [finding]
      : finding.code === 'over_total'
        ? [{ ...finding, path: set.folder }]
        : [],
  )
}

function limitsOf(config: Config): HotLimits {
  return { maxLines: config['hot.maxLines'], maxTokens: config['hot.maxTokens'] }
}

/** Only certain secrets: an address in a profile is there on purpose. */
const CERTAIN = { emails: false, allow: [/(?:)/] }

function secretFindings({ path, text }: ReadRuleFile): HotFinding[] {
  return redact(text, CERTAIN).redacted.map(({ type, line }) => ({
    level: 'error',
    code: 'secret_found',
    path,
    line,
    message: `${path}:${line} contains a secret (${type}), which would be part of every conversation.`,
    hint: 'Remove it, and change it if it was shared.',
  }))
}

/** Promotions and demotions, judged by the subjects of recent sessions and by what was injected into them. */
export async function adviceFor(
  memory: Memory & SearchPorts & BriefPorts & SessionPorts & RulePorts,
  { set, totals, limits }: HotState,
): Promise<HotAdvice> {
  await memory.store.refresh()
  return adviseHot({
    rules: set.common.flatMap(({ path: file, rules }) => rules.map(rule => ({ file, rule }))),
    sessions: await recentSubjects(memory),
    told: await injectedEntries(memory),
    files: countedFiles(set),
    totals,
    limits,
    ...(await workspacesOf(memory)),
    ownRules: printsOf(RULE_TEMPLATES.map(({ text }) => text)),
  })
}

/** The names of the workspaces, and the folder of their learnings. */
export async function workspacesOf(
  memory: Memory & RulePorts,
): Promise<{ readonly workspaces: readonly string[]; readonly learnings: string }> {
  const config = await memory.config()
  const learnings = projectFolder(config['workspaces.learnings'], 'workspaces.learnings')
  const resources = projectFolder(config['workspaces.resources'], 'workspaces.resources')
  const names = [...(await memory.hotFiles.names(learnings)), ...(await memory.hotFiles.names(resources))]
  const workspaces = [...new Set(names.filter(name => /^[a-z0-9][a-z0-9_-]*$/i.test(name)))]
  return { workspaces, learnings }
}

/** Only recent sessions are measured, because the work of last year may have been different. */
const RECENT_SESSIONS = 60
const MESSAGES_A_CONVERSATION = 200
const CHARACTERS_A_SESSION = 200_000
const RECENT_EVENTS = 1_000
const RECENT_BRIEFS = 200

/** The subjects of the last closed sessions: their messages and tool runs without injected text, and their events. */
async function recentSubjects(memory: SessionPorts): Promise<SessionSubject[]> {
  const { sessions } = await memory.sessions.list({ limit: RECENT_SESSIONS, state: 'closed' })
  if (sessions.length === 0) return []
  const eventTexts = await textsOfEvents(memory)
  const subjects: SessionSubject[] = []
  for (const { session, agents } of sessions) {
    const texts: string[] = [...(eventTexts.get(`session:${session}`) ?? [])]
    for (const agent of agents) {
      const end = await memory.sessions.readEnd({ session, agent }, MESSAGES_A_CONVERSATION)
      for (const { text } of end?.messages ?? []) texts.push(readablePart(ownText(text)))
    }
    subjects.push(sessionSubject(bounded(texts)))
  }
  return subjects
}

async function textsOfEvents(memory: SessionPorts): Promise<ReadonlyMap<string, readonly string[]>> {
  const { events } = await memory.events.newest(RECENT_EVENTS)
  const bySource = new Map<string, string[]>()
  for (const { sourceId, summary, signals } of events) {
    const texts = bySource.get(sourceId) ?? []
    texts.push(summary, ...signals.decisions, ...signals.gotchas, ...signals.keyPaths)
    bySource.set(sourceId, texts)
  }
  return bySource
}

function bounded(texts: readonly string[]): string[] {
  let left = CHARACTERS_A_SESSION
  return texts.flatMap(text => {
    if (left <= 0) return []
    left -= text.length
    return [text.slice(0, Math.max(0, left + text.length))]
  })
}

/** For each valid entry, in how many of the sessions with a brief it was injected. */
async function injectedEntries(memory: SearchPorts & BriefPorts): Promise<InjectedEntry[]> {
  const told = new Map<string, Set<string>>()
  for (const { session, included } of await memory.briefs.list(RECENT_BRIEFS)) {
    if (session === undefined) continue
    const ids = told.get(session) ?? new Set()
    for (const { id, tier } of included) if (id !== undefined && tier !== 'preferences') ids.add(id)
    told.set(session, ids)
  }
  const countById = new Map<string, number>()
  for (const ids of told.values()) for (const id of ids) countById.set(id, (countById.get(id) ?? 0) + 1)
  const entryById = await memory.search.loadEntries([...countById.keys()])
  return [...entryById.values()]
    .filter(
      ({ status, category }) => status !== 'candidate' && category !== 'handoffs' && category !== 'tasks',
    )
    .map(({ id, content, kind }) => ({
      id,
      content,
      kind,
      told: countById.get(id) ?? 0,
      sessions: told.size,
    }))
}
