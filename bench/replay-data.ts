import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Message, ToolRun } from '../src/api.ts'
import { pairKey, statementKey } from './replay-match.ts'

export interface ReplayMessage extends Message {
  readonly at: string
  readonly run?: ToolRun
}

/** One recorded session. The data folder has one per line, gzipped. */
export interface ReplaySession {
  readonly project: string
  readonly id: string
  readonly startedAt: string
  readonly messages: readonly ReplayMessage[]
}

export interface DurableFact {
  readonly project: string
  readonly session: string
  readonly kind: string
  readonly fact: string
}

/** What judges said about the results of an earlier version, by the words of the text. */
export interface ReplayLabels {
  /** By `statementKey`: good, weak or junk. */
  readonly statements: ReadonlyMap<string, string>
  /** By `promptItemKey`: helpful, neutral or noise. */
  readonly promptItems: ReadonlyMap<string, string>
  /** The prompts whose injected items were all judged, as `session|number of the prompt`. */
  readonly prompts: ReadonlySet<string>
  /** By `statementKey`: useful, partly or useless. */
  readonly handoffs: ReadonlyMap<string, string>
  /** By `pairKey`: right or wrong. */
  readonly pairs: ReadonlyMap<string, string>
  readonly facts: readonly DurableFact[]
}

/** The folder of the replay data: the one that is named, or its subfolder `replay`. */
export function findReplayFolder(dataFolder: string): string {
  const folder = [dataFolder, path.join(dataFolder, 'replay')].find(each => archivesIn(each).length > 0)
  if (folder === undefined)
    throw new Error(`${dataFolder} has no *.jsonl.gz with recorded sessions; name the folder with --data`)
  return folder
}

/**
 * Sessions by project, oldest first. Without names: the projects of the folder itself; `all` adds those of `more/`.
 */
export function readSessions(
  folder: string,
  { projects, limit }: { projects: readonly string[] | undefined; limit: number | undefined },
): Map<string, ReplaySession[]> {
  const archives = [
    ...archivesIn(folder),
    ...(projects === undefined ? [] : archivesIn(path.join(folder, 'more'))),
  ]
  const isWanted = (name: string) =>
    projects === undefined || projects.includes('all') || projects.includes(name)
  const sessionsByProject = new Map<string, ReplaySession[]>()
  for (const archive of archives) {
    for (const session of parseLines<ReplaySession>(gunzipSync(readFileSync(archive)).toString('utf8'))) {
      if (!isWanted(session.project) || session.messages.length === 0) continue
      const sessions = sessionsByProject.get(session.project) ?? []
      sessions.push(session)
      sessionsByProject.set(session.project, sessions)
    }
  }
  const missing = (projects ?? []).filter(name => name !== 'all' && !sessionsByProject.has(name))
  if (missing.length > 0) throw new Error(`${folder} has no sessions of ${missing.join(', ')}`)
  for (const [project, sessions] of sessionsByProject) {
    sessions.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
    sessionsByProject.set(project, sessions.slice(0, limit))
  }
  return sessionsByProject
}

const HANDOFF_VERDICTS: Readonly<Record<string, string>> = { useful: 'useful', part: 'partly', no: 'useless' }

/** `factsFile` adds facts to those of the folder: other projects, or `kind: rule` for the standing rules that people stated. */
export function readLabels(folder: string, factsFile?: string): ReplayLabels {
  const lines = <T>(name: string) => readJsonLines<T>(path.join(folder, name))
  const promptItems = new Map<string, string>()
  const prompts = new Set<string>()
  for (const { session, k, items } of lines<{
    session: string
    k: number
    items: { text: string; label: string }[]
  }>('brief-labels.jsonl')) {
    prompts.add(`${session}|${k}`)
    for (const { text, label } of items) promptItems.set(promptItemKey(session, k, text), label)
  }
  return {
    statements: new Map(
      lines<{ project: string; text: string; class: string }>('entry-labels.jsonl').map(label => [
        statementKey(label.project, label.text),
        label.class,
      ]),
    ),
    promptItems,
    prompts,
    handoffs: new Map(
      lines<{ project: string; handoff: string; label: string }>('handoff-labels.jsonl').map(label => [
        statementKey(label.project, label.handoff),
        HANDOFF_VERDICTS[label.label] ?? label.label,
      ]),
    ),
    pairs: new Map(
      lines<{ project: string; older: string; newer: string; right: boolean | null }>(
        'supersession-labels.jsonl',
      ).flatMap(({ project, older, newer, right }) =>
        right === null ? [] : [[pairKey(project, older, newer), right ? 'right' : 'wrong'] as const],
      ),
    ),
    facts: [
      ...lines<DurableFact>('durable-facts.jsonl'),
      ...(factsFile === undefined ? [] : readJsonLines<DurableFact>(factsFile)),
    ],
  }
}

export function promptItemKey(session: string, prompt: number, text: string): string {
  return statementKey(`${session}|${prompt}`, text)
}

/** An absent file has no lines: a set of sessions without labels can be replayed too. */
export function readJsonLines<T>(file: string): T[] {
  return existsSync(file) ? parseLines<T>(readFileSync(file, 'utf8')) : []
}

export function parseLines<T>(text: string): T[] {
  return text.split('\n').flatMap(line => (line.trim() === '' ? [] : [JSON.parse(line) as T]))
}

function archivesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.jsonl.gz'))
    .sort()
    .map(name => path.join(folder, name))
}
