import * as path from 'node:path'
import * as v from 'valibot'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { defineOperation, degradedSchema, flag } from '../../../verbs/operation.ts'
import { discoverSources } from '../sources/discover-sources.ts'
import { SOURCE_FORMATS } from '../sources/source.ts'

const foundSchema = v.object({
  format: v.picklist(SOURCE_FORMATS),
  path: v.string(),
  outside: v.pipe(v.boolean(), v.description('True: it is not in the project')),
  count: v.pipe(v.nullable(v.number()), v.description('null: it was not opened, or cannot be read')),
  unit: v.pipe(v.string(), v.description('What is counted')),
  command: v.pipe(v.string(), v.description('What imports it')),
})
type FoundView = v.InferOutput<typeof foundSchema>

export const importDiscoverOperation = defineOperation({
  name: 'import discover',
  group: 'Import, export and sync',
  agent: 'reads',
  route: { at: 'GET /api/import', access: 'read' },
  runs: 'checkout',
  summary: 'Show what can be imported here, and the command for each',
  description:
    'Finds conversations in .memory/conversations, chat ids in docs/chat-sessions.json, instructions of agents, rules of Cursor, decision records, a git history and an Obsidian vault in the project, and checks whether other tools store a memory of it in their default places. Nothing outside the project is opened without --outside, which counts what is there.',
  positionals: [],
  input: v.object({ outside: v.optional(flag('Open what lies outside the project, and count it')) }),
  output: v.object({
    found: v.pipe(v.array(foundSchema), v.readonly()),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn import discover', does: 'list what is here, the same as `cairn import` alone' },
    { command: 'cairn import discover --outside --json', does: 'with what other tools keep, for a program' },
  ],
  async run(memory, { outside = false }) {
    const { root } = memoryFolderOf(memory)
    const { foreignDatabases: databases } = memory
    const found = await discoverSources(root, { looksOutside: outside, databases })
    return {
      found: found.map(source => ({ ...source, command: commandFor(source, root) })),
      degraded: memory.store.takeDegraded(),
    }
  },
})

function commandFor({ format, path: place, outside }: Omit<FoundView, 'command'>, root: string): string {
  if (outside || place === root)
    return format === 'obsidian' ? 'cairn import . --from obsidian' : `cairn import --from ${format}`
  return `cairn import ${path.relative(root, place)}`
}
