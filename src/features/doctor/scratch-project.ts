import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { errnoOf } from '../../kernel/system/disk.ts'
import { trialEnvironment } from '../../kernel/system/environment.ts'
import { runBounded } from '../../kernel/system/run-bounded.ts'

/** A project with one entry, trusted in a user's folder of its own: what is tried there captures nothing, and tells nothing of anybody's. */
export interface ScratchProject {
  readonly folder: string
  readonly root: string
  /** Where hooks write down what they could not do. */
  readonly failures: string
  readonly environment: (variables: Readonly<Record<string, string>>) => NodeJS.ProcessEnv
  /** False: something of it is left. */
  remove(): boolean
}

/** A word that stands in no text but ours. */
export const SCRATCH_WORD = 'quillwort'
export const SCRATCH_PROMPT = `Which database does the ${SCRATCH_WORD} service use, and why?`
const SCRATCH_ENTRY = `The ${SCRATCH_WORD} service uses PostgreSQL, because its database must survive a restart.`
const PREPARED_WITHIN_MS = 20_000

/** undefined: this very program could not keep an entry there. */
export async function makeScratchProject(ownWords: readonly string[]): Promise<ScratchProject | undefined> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-doctor-')))
  const root = path.join(folder, 'project')
  const home = path.join(folder, 'home')
  fs.mkdirSync(root)
  fs.mkdirSync(home)
  const at = new Date().toISOString()
  const known = {
    version: 1,
    projects: [
      {
        id: 'doctor',
        name: 'doctor',
        root,
        trustedAt: at,
        trustedBy: 'created',
        firstSeenAt: at,
        lastSeenAt: at,
      },
    ],
  }
  fs.writeFileSync(path.join(home, 'projects.json'), JSON.stringify(known))
  const scratch: ScratchProject = {
    folder,
    root,
    failures: path.join(home, 'hook-failures.jsonl'),
    environment: variables => trialEnvironment(home, variables),
    // No call of a trial starts a process that outlives it, but one that was ended in the middle may take a moment to go.
    remove() {
      try {
        fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
        return true
      } catch (error) {
        if (errnoOf(error) === undefined) throw error
        return false
      }
    },
  }
  const made = await runBounded([...ownWords, 'remember', SCRATCH_ENTRY, '--root', root], {
    cwd: root,
    environment: scratch.environment({}),
    timeoutMs: PREPARED_WITHIN_MS,
  })
  if (made.exitCode === 0) return scratch
  scratch.remove()
  return undefined
}
