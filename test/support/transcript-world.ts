import { mkdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { onTestFinished } from 'vitest'
import { NOW_MS } from './aged-vault.ts'
import { scratchProject } from './scratch-project.ts'

export interface TranscriptWorld {
  readonly root: string
  readonly home: string
  /** A file in the home of this user, last changed so many days ago. */
  keep(name: string, content: string | Uint8Array, ageDays?: number): string
  /** A session of Claude Code in this project, or in a folder of the caller's. */
  claude(session: string, lines: readonly string[], options?: { ageDays?: number; cwd?: string }): string
}

const VARIABLES = ['HOME', 'CAIRN_HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'XDG_DATA_HOME', 'COPILOT_HOME']

/** A project and a home in which hosts keep transcripts, for this process and this test. */
export function transcriptWorld(): TranscriptWorld {
  const folder = realpathSync(scratchProject())
  const [root, home] = ['project', 'home'].map(name => path.join(folder, name)) as [string, string]
  mkdirSync(root)
  mkdirSync(home)
  const before = VARIABLES.map(name => [name, process.env[name]] as const)
  for (const name of VARIABLES) delete process.env[name]
  process.env.HOME = home
  process.env.CAIRN_HOME = path.join(home, '.cairn')
  onTestFinished(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })
  const keep: TranscriptWorld['keep'] = (name, content, ageDays = 1) => {
    const file = path.join(home, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
    const at = (NOW_MS - ageDays * 86_400_000) / 1000
    utimesSync(file, at, at)
    return file
  }
  return {
    root,
    home,
    keep,
    claude: (session, lines, { ageDays = 1, cwd = root } = {}) =>
      keep(
        `.claude/projects/${cwd.replace(/[^a-zA-Z0-9]/g, '-')}/${session}.jsonl`,
        lines.map(line => `${line}\n`).join(''),
        ageDays,
      ),
  }
}

/** Lines as Claude Code writes them. */
export function claudeLines(session: string, cwd: string, minute = 0) {
  let second = 0
  const at = () => ({
    timestamp: new Date(
      Date.parse('2026-11-14T10:00:00Z') + minute * 60_000 + second++ * 1_000,
    ).toISOString(),
    cwd,
    sessionId: session,
  })
  return {
    user: (content: string) => JSON.stringify({ type: 'user', message: { role: 'user', content }, ...at() }),
    agent: (text: string) =>
      JSON.stringify({
        type: 'assistant',
        message: { model: 'm', content: [{ type: 'text', text }] },
        ...at(),
      }),
    run: (command: string, output: string) => {
      const id = `t${second}`
      return [
        JSON.stringify({
          type: 'assistant',
          message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
          ...at(),
        }),
        JSON.stringify({
          type: 'user',
          message: { content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: false }] },
          toolUseResult: { stdout: output },
          ...at(),
        }),
      ]
    },
  }
}
