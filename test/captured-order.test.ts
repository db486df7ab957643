import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { captureOf, leaveForWorker } from '../src/hosts/hooks/capture-hook.ts'
import { purposeOf, readPayload } from '../src/hosts/hooks/decide/read-payload.ts'
import { drainHookQueue } from '../src/hosts/hooks/worker.ts'
import type { HostId } from '../src/kernel/model/host.ts'
import { type Clock, systemClock } from '../src/kernel/system/clock.ts'
import { failingDisk } from './support/failing-disk.ts'

/** How a host calls its hooks, and how it writes its transcript. */
interface HostManners {
  readonly events: { readonly prompt: string; readonly tool: string; readonly stop: string }
  readonly run: (command: string) => object
  /** The payload at the end of a turn. Without it the answer is only in the transcript. */
  readonly answer?: (text: string) => object
  readonly transcript?: {
    readonly field: string
    /** Whether every hook names the transcript, or only the one at the end of a turn. */
    readonly isAlwaysNamed: boolean
    readonly asked: (text: string, timestamp: string) => object
    readonly said: (text: string, timestamp: string, id: string) => object
    /** The same message is written again when its tool has run. */
    readonly writesAgain?: boolean
  }
  /** Without a transcript: the hook at the end of a turn is also called for what is said on the way. */
  readonly callsForEachText?: boolean
}

const snake = (command: string) => ({
  tool_name: 'Bash',
  tool_input: { command },
  tool_response: { stdout: 'fine' },
})

const HOSTS: Partial<Record<HostId, HostManners>> = {
  'claude-code': {
    events: { prompt: 'UserPromptSubmit', tool: 'PostToolUse', stop: 'Stop' },
    run: snake,
    answer: text => ({ last_assistant_message: text }),
    transcript: {
      field: 'transcript_path',
      isAlwaysNamed: true,
      asked: (text, timestamp) => ({ type: 'user', timestamp, message: { role: 'user', content: text } }),
      said: (text, timestamp) => ({
        type: 'assistant',
        timestamp,
        message: { content: [{ type: 'text', text }] },
      }),
    },
  },
  codex: {
    events: { prompt: 'UserPromptSubmit', tool: 'PostToolUse', stop: 'Stop' },
    run: snake,
    answer: text => ({ last_assistant_message: text }),
    transcript: {
      field: 'transcript_path',
      isAlwaysNamed: true,
      asked: (_, timestamp) => ({ timestamp, type: 'event_msg', payload: { item: { type: 'UserMessage' } } }),
      said: (text, timestamp) => ({
        timestamp,
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
      }),
    },
  },
  gemini: {
    events: { prompt: 'BeforeAgent', tool: 'AfterTool', stop: 'AfterAgent' },
    run: command => ({ ...snake(command), tool_name: 'run_shell_command' }),
    answer: text => ({ prompt_response: text }),
    transcript: {
      field: 'transcript_path',
      isAlwaysNamed: true,
      asked: (text, timestamp) => ({ id: timestamp, timestamp, type: 'user', content: [{ text }] }),
      said: (text, timestamp, id) => ({ id, timestamp, type: 'gemini', content: text }),
      writesAgain: true,
    },
  },
  copilot: {
    events: { prompt: 'userPromptSubmitted', tool: 'postToolUse', stop: 'agentStop' },
    run: command => ({ toolName: 'bash', toolArgs: { command }, toolResult: { resultType: 'success' } }),
    transcript: {
      field: 'transcriptPath',
      isAlwaysNamed: false,
      asked: (content, timestamp) => ({ type: 'user.message', timestamp, data: { content } }),
      said: (content, timestamp) => ({ type: 'assistant.message', timestamp, data: { content } }),
    },
  },
  cursor: {
    events: { prompt: 'beforeSubmitPrompt', tool: 'postToolUse', stop: 'afterAgentResponse' },
    run: command => ({ tool_name: 'Shell', tool_input: { command }, tool_output: 'fine' }),
    answer: text => ({ text }),
    callsForEachText: true,
  },
  opencode: {
    events: { prompt: 'chat.message', tool: 'tool.execute.after', stop: 'session.idle' },
    run: command => ({ tool: 'bash', args: { command }, output: 'fine' }),
    answer: text => ({ text }),
  },
}

type Step = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'run' }
/** When the last answer of a turn is in the transcript. */
type Flush = 'before its hook' | 'while the worker waits' | 'before the next prompt'
interface Turn {
  readonly prompt: string
  readonly steps: readonly Step[]
  readonly answer: string
  readonly flush: Flush
}
type Worker =
  | { readonly kind: 'none' }
  | { readonly kind: 'runs' }
  /** It dies at this step of the disk. */
  | { readonly kind: 'dies'; readonly at: number }
  /** It runs, and its lines are there once more. */
  | { readonly kind: 'twice' }
  /** The host goes on by so many actions while it works. */
  | { readonly kind: 'races'; readonly actions: number }

// Few texts, so that the same ones come again.
const text = fc.constantFrom('Yes.', 'I look first.', 'Done.', 'The tests pass now.')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.constant({ kind: 'run' as const }),
)
const turn: fc.Arbitrary<Turn> = fc.record({
  prompt: fc.constantFrom('continue', 'Fix the export.', 'And now?'),
  steps: fc.array(step, { maxLength: 4 }),
  answer: text,
  flush: fc.constantFrom<Flush>('before its hook', 'while the worker waits', 'before the next prompt'),
})
const worker: fc.Arbitrary<Worker> = fc.oneof(
  fc.constant({ kind: 'none' as const }),
  fc.constant({ kind: 'runs' as const }),
  fc.record({ kind: fc.constant('dies' as const), at: fc.integer({ min: 1, max: 60 }) }),
  fc.constant({ kind: 'twice' as const }),
  fc.record({ kind: fc.constant('races' as const), actions: fc.integer({ min: 1, max: 4 }) }),
)

it.each(Object.keys(HOSTS) as HostId[])(
  'stores each message of %s once and in order, whenever hooks, transcript and workers come',
  async host => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(worker),
        async (turns, workers) => {
          const root = mkdtempSync(path.join(tmpdir(), 'cairn-order-'))
          try {
            const { stored, happened } = await play(host, turns, workers, root)
            expect(stored).toEqual(happened)
          } finally {
            rmSync(root, { recursive: true, force: true })
          }
        },
      ),
      { numRuns: Number(process.env.CAIRN_ORDER_RUNS ?? 25) },
    )
  },
  120_000,
)

type Action = { readonly act: () => Promise<void>; readonly mayWork: boolean }

async function play(host: HostId, turns: readonly Turn[], workers: Iterator<Worker>, root: string) {
  const manners = HOSTS[host]
  if (manners === undefined) throw new Error(host)
  const file = `${root}/transcript.jsonl`
  let nowMs = Date.parse('2026-05-04T10:00:00Z')
  const tick = () => {
    nowMs += 50
    return new Date(nowMs).toISOString()
  }
  let late: string[] = []
  let isFlushedWhileWaiting = false
  const flush = () => {
    for (const line of late) appendFileSync(file, line)
    late = []
  }
  const clock: Clock = {
    ...systemClock,
    nowMs: () => nowMs,
    async sleep(ms) {
      nowMs += ms
      if (isFlushedWhileWaiting) flush()
    },
  }
  const engine = composeEngine({ root, clock, actor: { host: 'test' } })
  const hook = async (name: string, payload: object, namesTranscript: boolean) => {
    const purpose = purposeOf(host, name)
    if (purpose === undefined) throw new Error(name)
    tick()
    const ids = { session_id: 's1', sessionId: 's1', sessionID: 's1', conversation_id: 's1', cwd: root }
    const { transcript } = manners
    const named = transcript && namesTranscript ? { [transcript.field]: file } : {}
    const event = readPayload(host, name, purpose, { ...ids, ...named, ...payload })
    const line = await captureOf(engine, event, { mayScan: true })
    if (line !== undefined) await leaveForWorker(engine, line)
  }
  const write = (value: object | undefined, isLate = false) => {
    if (value === undefined) return
    late.push(`${JSON.stringify(value)}\n`)
    if (!isLate) flush()
  }

  const happened: string[] = []
  const isNamed = manners.transcript?.isAlwaysNamed === true
  const actions: Action[] = []
  // A host that names its transcript only at the end of a turn is not read before.
  const add = (act: () => Promise<void>, mayWork = true) => actions.push({ act, mayWork })
  const isReadMidTurn = manners.transcript === undefined || isNamed
  let runs = 0
  let ids = 0
  for (const { prompt, steps, answer, flush: when } of turns) {
    add(async () => {
      flush()
      await hook(manners.events.prompt, { prompt }, isNamed)
    })
    happened.push(prompt)
    add(async () => write(manners.transcript?.asked(prompt, tick())), isReadMidTurn)
    // Without a tool in between, what is said before the answer may come as late as the answer.
    const lastRun = steps.findLastIndex(({ kind }) => kind === 'run')
    const isLate = when === 'while the worker waits'
    for (const [index, one] of steps.entries()) {
      if (one.kind === 'run') {
        const command = `npm run task-${++runs}`
        add(() => hook(manners.events.tool, manners.run(command), isNamed), isReadMidTurn)
        happened.push(command)
        continue
      }
      const isLateText = isLate && index > lastRun
      const id = `m${++ids}`
      add(async () => {
        const said = manners.transcript?.said(one.text, tick(), id)
        write(said, isLateText)
        if (manners.transcript?.writesAgain) write(said, isLateText)
        if (manners.callsForEachText && manners.answer)
          await hook(manners.events.stop, manners.answer(one.text), false)
      }, isReadMidTurn && !isLateText)
      if (manners.transcript !== undefined || manners.callsForEachText) happened.push(one.text)
    }
    const id = `m${++ids}`
    add(async () => {
      write(manners.transcript?.said(answer, tick(), id), when !== 'before its hook')
      isFlushedWhileWaiting = isLate
      await hook(manners.events.stop, manners.answer?.(answer) ?? {}, true)
    })
    happened.push(answer)
    if (when === 'before the next prompt') add(async () => flush())
    else if (isLate) add(async () => flush(), false)
  }

  const work = (by: ComposedCheckout) =>
    drainHookQueue(by, { note: () => undefined, afterwards: async () => undefined })
  const next = async () => {
    const action = actions.shift()
    await action?.act()
    return action?.mayWork === true
  }
  while (actions.length > 0) {
    const mayWork = await next()
    const one = workers.next().value as Worker
    if (!mayWork || one.kind === 'none') continue
    if (one.kind === 'dies') {
      const disk = failingDisk(one.at, { forGood: true }).disk
      const dying = composeEngine({ root, clock, disk, actor: { host: 'test' } })
      await work(dying).catch(() => undefined)
      await dying.close()
    } else if (one.kind === 'twice') {
      const spool = `${root}/.memory/.vault/spool/s1`
      const lines = existsSync(`${spool}.jsonl`) ? readFileSync(`${spool}.jsonl`) : undefined
      const hasLeftover = existsSync(`${spool}.taken`)
      await work(engine)
      if (lines !== undefined && !hasLeftover) writeFileSync(`${spool}.taken`, lines)
      await work(engine)
    } else if (one.kind === 'races') {
      let left = one.actions
      await work(
        whileWorking(engine, async () => {
          while (left > 0 && actions[0]?.mayWork === true) {
            left--
            await next()
          }
        }),
      )
    } else await work(engine)
  }
  flush()
  // The session goes on to its end, where what came last is read.
  await hook(manners.events.prompt, { prompt: 'Bye.' }, isNamed)
  happened.push('Bye.')
  await work(engine)
  const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
  await engine.close()
  return {
    stored: messages.map(({ text: said, run }) => run?.command ?? said),
    happened: manners.transcript === undefined ? withoutRepeats(happened, turns) : happened,
  }
}

/** Without a transcript a hook that is called twice for one answer cannot be told from an answer that is given twice. */
function withoutRepeats(happened: readonly string[], turns: readonly Turn[]): string[] {
  const prompts = new Set(turns.map(({ prompt }) => prompt))
  let said = new Set<string>()
  return happened.filter(one => {
    if (prompts.has(one)) said = new Set()
    const isRepeated = said.has(one)
    said.add(one)
    return !isRepeated
  })
}

/** Something happens between the taking of the lines and the reading of the transcript. */
function whileWorking(engine: ComposedCheckout, act: () => Promise<void>): ComposedCheckout {
  const hookQueue = new Proxy(engine.hookQueue, {
    get: (target, name) => {
      const own = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>
      if (name !== 'readCursor') return own
      return async (...given: unknown[]) => {
        await act()
        return own.apply(target, given)
      }
    },
  })
  return new Proxy(engine, {
    get: (target, name) => (name === 'hookQueue' ? hookQueue : Reflect.get(target, name)),
  })
}
