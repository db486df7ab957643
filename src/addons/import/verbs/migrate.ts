import * as path from 'node:path'
import * as v from 'valibot'
import type { ClosingPorts } from '../../../features/learning/decide/ports.ts'
import type { Relocation } from '../../../features/upkeep/decide/plan-upgrade.ts'
import type { UpkeepPorts } from '../../../features/upkeep/decide/ports.ts'
import { isMigrated } from '../../../features/upkeep/migrated-files.ts'
import { upgrade } from '../../../features/upkeep/upgrade.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { isTaken } from '../../../kernel/model/agent-id.ts'
import type { Config } from '../../../kernel/model/config.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { FORMAT_VERSION } from '../../../kernel/model/vault-layout.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { defineOperation, degradedSchema, flag, recordSchema } from '../../../verbs/operation.ts'
import { sessionImporter } from '../session-importer.ts'
import { agentOfFlatFile, flatSource } from '../sources/flat-source.ts'
import { storeSourceItems } from '../take-in.ts'

const fileSchema = v.object({
  file: v.string(),
  agent: v.string(),
  entries: v.pipe(v.number(), v.description('How many entries it became')),
  record: recordSchema,
  reason: v.exactOptional(v.pipe(v.string(), v.description('Why it was left as it is'))),
})
type MigratedFile = v.InferOutput<typeof fileSchema>

const MAX_LISTED_CHARACTERS = 120
const entryList = v.array(v.object({ id: v.string(), kind: v.string(), text: v.string() }))

const relocationList = v.array(
  v.object({ id: v.string(), kind: v.string(), text: v.string(), from: v.string(), to: v.string() }),
)

export const migrateOperation = defineOperation({
  name: 'migrate',
  group: 'Import, export and sync',
  agent: 'person',
  runs: 'checkout',
  summary: 'Bring a memory of version 0.1.0, or flat memory files, up to date',
  description:
    'Of a memory that 0.1.0 wrote: entries that agents saved over MCP become candidates of the agent, entries that only use confirmed become suggestions, and suggestions beyond the newest and most important 30 move to the archive. Candidates, suggestions and handoffs move to .memory/local/, which git ignores; committed entries get a file each, so that plain git merges them. Version 0.1.0 then refuses to write to this memory. One `cairn undo` reverts all of that. Of flat files (.memory/dev.md): each `##` section becomes an entry, in the file that its heading names: Decisions or Decisões, Lessons or Aprendizados, Tasks or Tarefas, Context or Contexto, Handoffs; what is not recognised is a lesson. The file is kept as .md.bak, without the secrets in it. Where the agent has a vault already, what is not in it yet is added. A file that has a .bak is left as it is, and told. A migration that was broken off is finished by the next.',
  positionals: [],
  input: v.object({ dryRun: v.optional(flag('Show what would change, and change nothing')) }),
  output: v.object({
    dryRun: v.boolean(),
    migrated: v.pipe(v.array(v.string()), v.readonly(), v.description('Files that became a vault')),
    skipped: v.pipe(v.array(v.string()), v.readonly(), v.description('Files that were left as they are')),
    files: v.array(fileSchema),
    trust: v.pipe(
      v.object({
        toAgent: v.pipe(entryList, v.description('Saved by agents: now candidates of the agent')),
        toSuggestion: v.pipe(entryList, v.description('Confirmed by use alone: now suggestions')),
        archived: v.pipe(entryList, v.description('Suggestions over the cap: in the archive')),
        record: recordSchema,
      }),
      v.description('What a memory of 0.1.0 trusted without asking a person'),
    ),
    layout: v.pipe(
      v.object({
        toLocal: v.pipe(
          relocationList,
          v.description('Candidates, suggestions and handoffs: now in .memory/local/'),
        ),
        toFiles: v.pipe(relocationList, v.description('Committed entries: now with a file each')),
        copies: v.pipe(
          relocationList,
          v.description('Entries that were in a second file (`from`) too: removed there'),
        ),
        untracked: v.pipe(v.array(v.string()), v.description('Files in git that entries left')),
        git: v.pipe(
          v.array(v.string()),
          v.description('The git commands that commit this; they are not run'),
        ),
      }),
      v.description('Where entries are stored'),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn migrate --dry-run', does: 'see which files there are' },
    { command: 'cairn migrate', does: 'once, after moving to Cairn' },
  ],
  async run(memory, { dryRun = false }) {
    const { version } = await memory.store.readDocument('config.json')
    const { plan, layout, untracked, record } = await upgrade(memory, { dryRun })
    return {
      dryRun,
      ...(await migrateFlatFiles(memory, dryRun)),
      trust: {
        toAgent: plan.toAgent.map(listed),
        toSuggestion: plan.toSuggestion.map(listed),
        archived: plan.archive.map(listed),
        record,
      },
      layout: {
        toLocal: layout.toLocal.map(relocated),
        toFiles: layout.toFiles.map(relocated),
        copies: layout.copies.map(relocated),
        untracked: [...untracked],
        git:
          untracked.length === 0 ? [] : gitCommands(version === FORMAT_VERSION ? 'move entries' : 'format 2'),
      },
      degraded: memory.store.takeDegraded(),
    }
  },
})

/** A file that moved into the ignored folder is staged as a removal. */
function gitCommands(change: string): string[] {
  return ['git add -A .memory', `git commit -m "Cairn memory: ${change}"`]
}

function listed({ id, kind, content }: Entry) {
  return { id, kind, text: shortText(content) }
}

function relocated({ entry: { id, kind, text, path }, to }: Relocation) {
  return { id, kind, text: shortText(text), from: path, to }
}

function shortText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_LISTED_CHARACTERS)
}

/** The flat-file part of `cairn migrate`, which the seed's route calls alone. */
export async function migrateFlatFiles(memory: Memory & ClosingPorts & UpkeepPorts, dryRun: boolean) {
  const files: MigratedFile[] = []
  for (const file of flatFiles(memoryFolderOf(memory).memory))
    files.push(await migrateFile(memory, file, dryRun))
  return {
    migrated: files.filter(({ reason }) => reason === undefined).map(({ file }) => file),
    skipped: files.filter(({ reason }) => reason !== undefined).map(({ file }) => file),
    files,
  }
}

/** Markdown files directly in the memory folder, except `_project.md` and hidden files. */
function flatFiles(memory: string): string[] {
  return (nodeDisk.listFolder(memory) ?? [])
    .filter(item => item.isFile() && item.name.endsWith('.md') && !/^[._]/.test(item.name))
    .map(item => item.name)
    .sort()
}

async function migrateFile(
  engine: Memory & ClosingPorts & UpkeepPorts,
  file: string,
  dryRun: boolean,
): Promise<MigratedFile> {
  const { memory } = memoryFolderOf(engine)
  const agent = agentOfFlatFile(file)
  const left = (reason: string): MigratedFile => ({ file, agent, entries: 0, record: null, reason })
  const full = path.join(memory, file)
  if (isTaken(agent)) return left('Cairn uses this name itself')
  const bytes = nodeDisk.readFile(full)
  if (bytes === undefined) return left('it is gone')
  const backup = nodeDisk.readFile(`${full}.bak`)
  const isBackup = backup !== undefined && Buffer.compare(backup, bytes) === 0
  if (backup !== undefined && !isBackup) {
    const isDone = await isMigrated(engine, agent, backup)
    return left(
      `there is a ${file}.bak already; ${isDone ? 'move it away, or let `cairn compact` archive it' : 'rename one of the two, as no entry has what the backup says'}`,
    )
  }
  if (isBackup && (await isMigrated(engine, agent, bytes)))
    return left(`it was migrated: ${file}.bak is the same`)
  const config = await engine.config()
  const items = flatSource({
    path: full,
    agent,
    agentIsNamed: true,
    nowMs: engine.clock.nowMs(),
    maxEntryBytes: config['vault.maxEntryBytes'],
    memory,
  })
  const report = await storeSourceItems(engine, items, {
    dryRun,
    from: 'flat',
    sessionImporter: sessionImporter(engine, config),
  })
  const entries = report.added + report.duplicates
  const { record } = report
  if (report.failures[0] !== undefined)
    return { ...left(`line ${report.failures[0].line}: ${report.failures[0].message}`), entries, record }
  const isKept = dryRun || (await engine.store.exclusively(() => keepBackup(full, bytes, config)))
  if (!isKept) return { ...left('it was changed meanwhile: migrate again'), entries, record }
  return { file, agent, entries, record }
}

/** Stores the old file under its backup name, redacted. False if the file changed since it was migrated. */
function keepBackup(file: string, bytes: Uint8Array, config: Config): boolean {
  const now = nodeDisk.readFile(file)
  if (now === undefined || Buffer.compare(now, bytes) !== 0) return false
  const { text, redacted } = redact(new TextDecoder().decode(bytes), redactionOptions(config))
  if (redacted.length > 0) {
    nodeDisk.writeFile(`${file}.cairn-tmp`, new TextEncoder().encode(text))
    nodeDisk.rename(`${file}.cairn-tmp`, file)
  }
  nodeDisk.rename(file, `${file}.bak`)
  nodeDisk.syncFolder(path.dirname(file))
  return true
}
