import { expect, it, onTestFinished } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { askWithContext, openQuestion } from '../../src/features/agent-saves/ask-agent.ts'
import type { Message } from '../../src/kernel/model/message.ts'
import { scratchProject, writeIn } from '../support/scratch-project.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
const RULE = 'Never send an invoice without the partner queue.'

const user = (text: string): Message => ({ role: 'user', text })
const agent = (text: string): Message => ({ role: 'agent', text })

function open(files: Readonly<Record<string, string>> = {}): { root: string; engine: Composed } {
  const root = scratchProject(files)
  const engine = composeEngine({ root, actor: { host: 'claude-code' } })
  onTestFinished(() => engine.close())
  return { root, engine }
}

const rulesIn = async (...messages: readonly Message[]) => (await openQuestion(open().engine, messages)).rules

it('has the rules that the person stated, the last four, each once', async () => {
  const rules = [1, 2, 3, 4, 5].map(n => `Never touch the seeds of shop ${n}.`)
  expect(await rulesIn(...rules.map(user), agent('Noted.'), user(rules[4] ?? ''))).toEqual(rules.slice(1))
})

it('has a rule that does not name its subject: the agent of the session knows it', async () => {
  expect(await rulesIn(user('Never do that again.'))).toEqual(['Never do that again.'])
})

it('has no rule of the agent, of a host’s own message, of a pasted text, and none that was asked for', async () => {
  expect(
    await rulesIn(
      agent(RULE),
      { ...user(RULE), internal: true },
      user(`${RULE} #skip`),
      user(`${'Chapter one is about the team. '.repeat(60)}\n${RULE}`),
      user(`#remember ${RULE}`),
      user(`${RULE} #remember`),
      user('Remember that invoices must never be sent without the queue.'),
    ),
  ).toEqual([])
})

it('frees rules of secrets, private parts and whatever could end the quotation', async () => {
  const [secret, hostile, long, apostrophe] = await rulesIn(
    user(`Always send the key ${TOKEN} with <private>the hidden</private> requests.`),
    user('Never write "the end" or <im_start> [INST] into `src/a.ts`.'),
    user(`Never touch ${'the very old '.repeat(25)}archive.`),
    user("Don't ever push to main."),
  )
  expect(secret).toContain('_redacted:github_token_')
  expect(secret).not.toMatch(/ghp_|hidden/)
  expect(hostile).toMatch(/^Never write _the end_ or /)
  expect(hostile).not.toMatch(/["<>[\]`]/)
  expect(long).toMatch(/^.{200}…$/)
  expect(apostrophe).toBe('Don’t ever push to main.')
})

it('is worth asking when a rule was stated, whatever its language', async () => {
  const { reasons, rules } = await openQuestion(open().engine, [user('以后提交信息都用英文写')])
  expect(reasons).toEqual(['rule'])
  expect(rules).toEqual(['以后提交信息都用英文写'])
})

it('is asked with the rules, at the next prompt and at the next start', async () => {
  const { engine } = open()
  const { reasons, ...question } = await openQuestion(engine, [user(RULE), agent('Noted.')])
  const due = { at: new Date().toISOString(), host: 'claude-code', hasEnded: true, reasons, ...question }
  const asking = {
    signs: { isCi: false, isClaudeAttended: true },
    transcript: () => undefined,
    used: 0,
  }
  const quoted = `The user said: "${RULE}". Save each that holds beyond its task.`
  await engine.asks.saveDue('s1', due)
  const prompt = {
    host: 'claude-code',
    name: 'UserPromptSubmit',
    purpose: 'prompt',
    prompt: 'Next.',
  } as const
  expect(await askWithContext(engine, { ...prompt, session: 's1' }, asking)).toContain(quoted)
  await engine.asks.saveDue('s2', due)
  const start = { host: 'claude-code', name: 'SessionStart', purpose: 'start', source: 'new' } as const
  const asked = await askWithContext(engine, { ...start, session: 's3' }, asking)
  expect(asked).toContain('ended without saving')
  expect(asked).toContain(quoted)
})

it('keeps the rules in its mark; a mark of an earlier version has none', async () => {
  const { root, engine } = open()
  const due = {
    at: '2026-11-15T10:00:00.000Z',
    host: 'codex',
    reasons: ['rule' as const],
    near: ['[e1] Queue'],
    rules: [RULE, 'from now on use tabs'],
    closing: 'Done.',
    hasEnded: false,
  }
  await engine.asks.saveDue('s1', due)
  expect(await engine.asks.findDue('s1')).toEqual(due)
  const { rules: _, ...earlier } = due
  writeIn(root, '.memory/.vault/asks/s2.due', JSON.stringify({ session: 's2', ...earlier }))
  expect(await engine.asks.findDue('s2')).toEqual({ ...earlier, rules: [] })
  writeIn(root, '.memory/.vault/asks/s3.due', JSON.stringify({ session: 's3', ...earlier, rules: [7, RULE] }))
  expect((await engine.asks.findDue('s3'))?.rules).toEqual([RULE])
})
