import type { BriefPorts } from '../../features/brief/decide/ports.ts'
import type { SearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import { hasPorts } from '../../kernel/checkout.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { adviseHot, type HotAdvice, printsOf } from './decide/advise.ts'
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
import type { LinkSurvey } from './linking.ts'
import { linkFindings, surveyRuleLinks } from './rule-links.ts'
import { recentSubjects, toldEntries } from './session-subjects.ts'

export interface LaidOut {
  readonly path: string
  /** `kept`: a file of that name was there. */
  readonly outcome: 'written' | 'kept'
}

/** Lays out the seed's three files; what is there stays as it is. */
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

export interface HotReport {
  readonly files: readonly ReadRuleFile[]
  readonly totals: HotTotals
  readonly limits: HotLimits
  readonly links: LinkSurvey
  readonly findings: readonly HotFinding[]
}

export interface HotState extends HotReport {
  readonly set: HotFileSet
}

/** What conversations begin with, what it costs, and what is wrong with it. */
export async function hotState(memory: Memory & RulePorts): Promise<HotState> {
  const config = await memory.config()
  const set = await readHotFiles(memory)
  const limits = limitsOf(config)
  const counted = countedFiles(set)
  const links = await surveyRuleLinks(memory, set)
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

/** What is over its budget: a file over its own, or all of them, named by their folder, over the project's. */
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

/** Only what is certainly one: an address in a profile is there on purpose. */
const CERTAIN = { emails: false, allow: [/(?:)/] }

function secretFindings({ path, text }: ReadRuleFile): HotFinding[] {
  return redact(text, CERTAIN).redacted.map(({ type, line }) => ({
    level: 'error',
    code: 'secret_found',
    path,
    line,
    message: `${path}:${line} holds a secret (${type}), which every conversation would be given.`,
    hint: 'Remove it, and change it if it was shared.',
  }))
}

/** Promotion and demotion, by what the last sessions were about and were told. */
export async function adviceFor(
  memory: Memory & SearchPorts & BriefPorts & SessionPorts & RulePorts,
  { set, totals, limits }: HotState,
): Promise<HotAdvice> {
  await memory.store.refresh()
  return adviseHot({
    rules: set.common.flatMap(({ path: file, rules }) => rules.map(rule => ({ file, rule }))),
    sessions: await recentSubjects(memory),
    told: await toldEntries(memory),
    files: countedFiles(set),
    totals,
    limits,
    ...(await workspacesOf(memory)),
    ownRules: printsOf(RULE_TEMPLATES.map(({ text }) => text)),
  })
}

/** The names of the workspaces, and the folder of what was learned in them. */
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
