import type { ReplayOptions } from './replay.ts'
import type { BenchReport } from './report.ts'

/** The built library, loaded at run time as a user would load it; its types are all that is taken from the source. */
export type Library = Pick<typeof import('../src/api.ts'), 'openMemory' | 'openUserMemory' | 'CATEGORIES'>

export interface BenchContext {
  readonly library: Library
  /** The built files that child processes start. */
  readonly commandLine: string
  readonly libraryUrl: string
  readonly writerScript: string
  readonly fillScript: string
  readonly modelFolder: string
  /** What `hub --full` measured last; in the repository, so that what is reckoned from it can be reckoned again. */
  readonly curveFile: string
  readonly version: string
  /** Tells one build from another: an index made by other code must not be measured. */
  readonly build: string
  readonly dataFolder: string
  /** A PostgreSQL server, for what measures a hub. Its databases `cairn_bench_…` are made and kept there. */
  readonly store: string | undefined
  /** Set by `--entries`; each bench has its own default. */
  readonly entries: number | undefined
  /** Small sizes: whether everything still runs, not how fast it is. */
  readonly isQuick: boolean
  /** All sizes of a curve, also those that take long to fill. */
  readonly isFull: boolean
  /** Search by words alone, without vectors. */
  readonly isWordsOnly: boolean
  readonly replay: ReplayOptions
  readonly progress: (message: string) => void
}

export interface Bench {
  readonly name: string
  readonly summary: string
  readonly run: (context: BenchContext) => Promise<BenchReport>
}
