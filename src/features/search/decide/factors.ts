import type { Entry } from '../../../kernel/model/entry.ts'
import type { PlanStatus } from '../../../kernel/model/workspace.ts'

/**
 * The evidence for an entry other than relevance. One table, one product:
 *
 *   score = relevance × kind × recency × importance × access × file affinity × status × feedback × succession
 *
 *   kind           1, or what the profile says
 *   recency        1 + 0.05 · ½^(age in days / 30)
 *   importance     1 + 0.2 · (importance by now − ½)
 *   access         1 + 0.02 · log2(1 + times fetched), at most 1.1
 *   file affinity  1.3 for a file that is open or named, 1.1 for another file of its folder
 *   status         candidate 0.9, confirmed 1, pinned 1.05; of a plan: done 0.85, abandoned 0.7
 *   feedback       1 + 0.1 a useful, at most 1.3; × 0.5 a wrong
 *   drift          0.8 when files that it names changed a lot since, until it is confirmed
 *
 * They are small: a factor decides between entries that fit about equally, never for one that does not fit.
 */
export const FACTORS = {
  recencyGain: 0.05,
  recencyHalfLifeDays: 30,
  importanceGain: 0.2,
  accessGain: 0.02,
  maxAccess: 1.1,
  openFile: 1.3,
  sameFolder: 1.1,
  status: { candidate: 0.9, confirmed: 1, pinned: 1.05 },
  /** A finished plan is still worth injecting if no running plan is as relevant. */
  planStatus: { new: 1, in_progress: 1, partial: 1, done: 0.85, abandoned: 0.7 },
  usefulGain: 0.1,
  maxUseful: 1.3,
  wrongShare: 0.5,
  driftShare: 0.8,
} as const

export const FACTOR_NAMES = [
  'kind',
  'recency',
  'importance',
  'access',
  'files',
  'status',
  'feedback',
  'drift',
] as const
type FactorName = (typeof FACTOR_NAMES)[number]
export type FactorValues = Readonly<Record<FactorName, number>>

export interface FactorContext {
  readonly nowMs: number
  /** Files that are open in the editor or named in the prompt, relative to the project. */
  readonly activeFiles: readonly string[]
  readonly kindWeights: Readonly<Record<string, number>>
  readonly accessCountOf: (id: string) => number
  /** The importance of an entry after fading. */
  readonly importanceOf: (entry: Entry) => number
  readonly feedbackOf: (id: string) => { readonly useful: number; readonly wrong: number }
  readonly hasDrifted: (id: string) => boolean
  /** Of a document that is a plan. */
  readonly planStatusOf?: (id: string) => PlanStatus | undefined
}

export function factorsOf(entry: Entry, context: FactorContext): FactorValues {
  const { useful, wrong } = context.feedbackOf(entry.id)
  const plan = context.planStatusOf?.(entry.id)
  return {
    kind: context.kindWeights[entry.kind] ?? 1,
    recency: 1 + FACTORS.recencyGain * 0.5 ** (ageInDays(entry, context.nowMs) / FACTORS.recencyHalfLifeDays),
    importance: 1 + FACTORS.importanceGain * (context.importanceOf(entry) - 0.5),
    access: Math.min(
      FACTORS.maxAccess,
      1 + FACTORS.accessGain * Math.log2(1 + context.accessCountOf(entry.id)),
    ),
    files: fileAffinity(entry.files, context.activeFiles),
    status: plan === undefined ? FACTORS.status[entry.status] : FACTORS.planStatus[plan],
    feedback: Math.min(FACTORS.maxUseful, 1 + FACTORS.usefulGain * useful) * FACTORS.wrongShare ** wrong,
    drift: context.hasDrifted(entry.id) ? FACTORS.driftShare : 1,
  }
}

export function productOf(factors: FactorValues): number {
  return FACTOR_NAMES.reduce((product, name) => product * factors[name], 1)
}

function ageInDays(entry: Entry, nowMs: number): number {
  const then = Date.parse(`${entry.updated ?? entry.date}Z`)
  return Number.isNaN(then) ? Number.POSITIVE_INFINITY : Math.max(0, nowMs - then) / 86_400_000
}

function fileAffinity(files: readonly string[], active: readonly string[]): number {
  if (active.length === 0 || files.length === 0) return 1
  const open = active.map(normalised)
  const named = files.map(normalised)
  if (named.some(file => open.some(other => isSameFile(file, other)))) return FACTORS.openFile
  const folders = new Set(open.map(folderOf).filter(folder => folder !== ''))
  return named.some(file => folders.has(folderOf(file))) ? FACTORS.sameFolder : 1
}

/** One may be given from the project's root and the other from anywhere above or below it. */
function isSameFile(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`)
}

function normalised(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase()
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}
