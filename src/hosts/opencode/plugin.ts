import type { HostHook } from '../hooks/decide/hook-event.ts'
import { COMMAND_MARKER } from '../install/decide/command-files.ts'
import { commandWords } from '../install/decide/hook-command.ts'
import type { CairnCommand } from '../install/decide/install-plan.ts'
import { SLASH_COMMANDS } from '../install/decide/slash-commands.ts'

/**
 * The plugin that runs inside OpenCode. It only transports: payload out, answer in. A throw in `chat.message` would end the user's turn,
 * and a wait could block it forever, so every call has a deadline and every hook a `catch`.
 */
export function openCodePlugin(command: CairnCommand, hooks: readonly HostHook[]): string {
  const mostMs = Math.max(...hooks.map(({ timeoutSeconds }) => timeoutSeconds)) * 1000
  return PLUGIN.replace('%MARKER%', COMMAND_MARKER)
    .replace('%COMMAND%', JSON.stringify(commandWords(command)))
    .replace('%MOST_MS%', String(mostMs))
    .replace('%NAMES%', JSON.stringify(SLASH_COMMANDS.map(({ name }) => name)))
}

const PLUGIN = String.raw`// %MARKER%
import { spawn } from 'node:child_process'

const COMMAND = %COMMAND%
const MOST_MS = %MOST_MS%
const NAMES = new Set(%NAMES%)

/** Calls "cairn hook opencode <event>" with the payload on its standard input; the context to tell, or nothing. Never fails. */
function ask(event, payload) {
  return new Promise(resolve => {
    let out = ''
    let timer
    const done = () => {
      clearTimeout(timer)
      let context
      try {
        context = out.trim() === '' ? undefined : JSON.parse(out).context
      } catch {
        context = undefined
      }
      resolve(typeof context === 'string' && context !== '' ? context : undefined)
    }
    try {
      const child = spawn(COMMAND[0], [...COMMAND.slice(1), 'hook', 'opencode', event], {
        stdio: ['pipe', 'pipe', 'ignore'],
        cwd: payload.directory,
        windowsHide: true,
        // OpenCode ends its own group when a single run is over; the end of a turn is told all the same.
        detached: process.platform !== 'win32',
        shell: process.platform === 'win32' && COMMAND.length === 1,
      })
      timer = setTimeout(() => {
        out = ''
        child.kill()
        done()
      }, MOST_MS)
      child.on('error', done)
      child.on('close', done)
      child.stdout.on('data', chunk => {
        out += chunk
      })
      child.stdin.on('error', () => undefined)
      child.stdin.end(JSON.stringify(payload))
    } catch {
      done()
    }
  })
}

export const Cairn = async ({ directory, worktree }) => {
  const created = new Set()
  const begun = new Set()
  const compacted = new Set()
  const children = new Set()
  const answers = new Map()
  const inOrder = new Map()
  let parts = 0

  const payload = (sessionID, more) => ({ sessionID, directory, worktree, ...more })
  /** One after the other within a session, so that what is captured keeps its order. */
  const queued = (sessionID, event, more) => {
    const next = (inOrder.get(sessionID) ?? Promise.resolve()).then(() => ask(event, payload(sessionID, more)))
    inOrder.set(sessionID, next)
    return next
  }
  const guarded = hook => async (input, output) => {
    try {
      await hook(input, output)
    } catch {
      return undefined
    }
  }
  /** Marked as not typed by the user; parts are ordered by their ids, and ours stands behind what was typed. */
  const put = (input, output, text) =>
    output.parts.push({
      id: 'prt_zzzzzzzz' + Date.now().toString(36) + String(parts++).padStart(4, '0'),
      sessionID: input.sessionID,
      messageID: output.message.id,
      type: 'text',
      text,
      synthetic: true,
    })

  return {
    'chat.message': guarded(async (input, output) => {
      const prompt = output.parts
        .filter(part => part.type === 'text' && !part.synthetic)
        .map(part => part.text)
        .join('\n')
      const agent = input.agent ?? output.message.agent
      const isChild = children.has(input.sessionID)
      if (!begun.has(input.sessionID)) {
        begun.add(input.sessionID)
        const isCompacted = compacted.delete(input.sessionID)
        const source = isCompacted ? 'compact' : created.has(input.sessionID) ? 'startup' : 'resume'
        const more = isChild ? { source, agent_type: agent ?? 'agent', agent_id: input.sessionID } : { source }
        const start = await queued(input.sessionID, 'session.start', more)
        if (start !== undefined) put(input, output, start)
      }
      if (isChild) return
      const brief = await queued(input.sessionID, 'chat.message', { prompt, agent, model: input.model?.modelID })
      if (brief !== undefined) put(input, output, brief)
    }),

    'command.execute.before': guarded(async (input, output) => {
      if (!NAMES.has(input.command)) return
      output.parts.push({ type: 'text', text: input.arguments === '' ? '(nothing was typed)' : input.arguments })
    }),

    'tool.execute.after': guarded(async (input, output) => {
      const more = {
        tool: input.tool,
        args: input.args,
        output: String(output.output ?? '').slice(0, 20000),
        exitCode: output.metadata?.exit,
      }
      const told = await queued(input.sessionID, 'tool.execute.after', more)
      if (told !== undefined) output.output += '\n\n' + told
    }),

    'experimental.session.compacting': guarded(async (input, output) => {
      const told = await queued(input.sessionID, 'session.compacting', { trigger: 'auto' })
      if (told !== undefined) output.context.push(told)
      begun.delete(input.sessionID)
      compacted.add(input.sessionID)
    }),

    event: guarded(async ({ event }) => {
      const { type, properties = {} } = event
      if (type === 'session.created') {
        created.add(properties.info?.id)
        if (properties.info?.parentID) children.add(properties.info.id)
      } else if (type === 'message.updated' && properties.info?.role === 'assistant') {
        const { id, sessionID } = properties.info
        if (answers.get(sessionID)?.messageID !== id) answers.set(sessionID, { messageID: id, text: '' })
      } else if (type === 'message.part.updated' && properties.part?.type === 'text') {
        const { messageID, sessionID, text } = properties.part
        if (answers.get(sessionID)?.messageID === messageID) answers.set(sessionID, { messageID, text })
      } else if (type === 'session.idle') {
        const text = answers.get(properties.sessionID)?.text
        await queued(properties.sessionID, 'session.idle', text ? { text: text.slice(0, 200000) } : {})
      } else if (type === 'session.deleted') {
        await queued(properties.info?.id, 'session.deleted', {})
      }
    }),

    /** OpenCode ends, or takes its plugins in anew: no event says so of a session. One that goes on is taken up again. */
    dispose: guarded(async () => {
      const own = [...begun].filter(sessionID => !children.has(sessionID))
      await Promise.all(own.map(sessionID => queued(sessionID, 'session.deleted', {})))
    }),
  }
}
`
