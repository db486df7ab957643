import { leadsOut } from './decide/config-document.ts'
import type { ValidationFinding } from './decide/finding.ts'
import type { ValidationCheck, ValidationRun } from './look.ts'

const MAX_TOLD = 500
/** What leaves a file out of every answer; with the rest it is found, and something of it is missing. */
const LEAVES_OUT: ReadonlySet<string> = new Set([
  'front_matter_invalid',
  'front_matter_missing',
  'front_matter_open',
  'duplicate_file',
  'not_text',
  'link_outside',
  'link_loop',
])

/** Files outside `.memory/`, which people write: their readers tell what is wrong with them. */
export const workspacesCheck: ValidationCheck = {
  name: 'workspaces',
  about: 'plans, overviews, decisions and lessons of workspaces',
  async run(look) {
    const folder = await workspacesOf(look)
    if (folder === undefined) return
    if (!folder.exists()) return
    const documents = await look.engine.documents()
    const problems = [...folder.survey().problems]
    for (const { path } of documents.survey()) problems.push(...(documents.read(path)?.problems ?? []))
    look.add(
      problems.slice(0, MAX_TOLD).map(
        ({ code, path, line, message, hint }): ValidationFinding => ({
          code,
          severity: LEAVES_OUT.has(code) ? 'error' : 'warning',
          path,
          ...(line !== undefined && { line }),
          message,
          fix: hint,
        }),
      ),
    )
    if (problems.length > MAX_TOLD)
      look.skip(`${problems.length - MAX_TOLD} more problems in workspaces`, `${MAX_TOLD} are told`)
  },
}

/** undefined: they are configured to lie outside the project, which is told where that is written. */
async function workspacesOf({ engine: memory, config }: ValidationRun) {
  const roots = [config['workspaces.resources'], config['workspaces.learnings']]
  return roots.some(leadsOut) ? undefined : memory.workspaces()
}
