import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

/** Prints the output of `claude -p --output-format stream-json`. The last line of the prompt selects its behaviour. */
const HOST = `#!${process.execPath}
const words = process.argv.slice(2)
if (words.includes('--version')) { console.log('9.9.9'); process.exit(0) }
let prompt = ''
process.stdin.on('data', piece => { prompt += piece })
process.stdin.on('end', async () => {
  const session_id = words.includes('--resume') ? words[words.indexOf('--resume') + 1] : 'chat-of-the-test'
  const print = value => console.log(JSON.stringify({ ...value, session_id, parent_tool_use_id: null }))
  const piece = text => print({ type: 'stream_event', event: { delta: { type: 'text_delta', text } } })
  const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
  print({ type: 'system', subtype: 'init' })
  const asked = prompt.trim().split('\\n').at(-1)
  if (asked.includes('break')) {
    print({ type: 'result', is_error: true, errors: ['Credit balance is too low'], usage: {} })
    process.exit(1)
  }
  if (asked.includes('long work')) {
    piece('I begin.\\n\\n')
    await pause(60_000)
  }
  print({ type: 'assistant', message: { content: [{ type: 'tool_use', id: '1', name: 'Bash', input: { command: 'ls src' } }] } })
  print({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: '1', content: 'app.ts' }] } })
  const answer = (words.includes('--resume') ? 'Again: ' : '') +
    'We decided to use **SSE** instead of WebSockets, because proxies cut them.\\n\\n\`\`\`ts\\nconst live = true\\n\`\`\`\\n\\n<img src=x onerror=alert(1)>'
  for (const text of answer.match(/[^]{1,12}/g)) { piece(text); await pause(10) }
  print({ type: 'assistant', message: { content: [{ type: 'text', text: answer }] } })
  print({ type: 'result', result: answer, usage: { input_tokens: 120, output_tokens: 34 } })
})
`

const withHost = ({ root, run }: Pick<PageWorld, 'root' | 'run'>) => {
  const folder = path.join(root, '..', 'bin')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'claude'), HOST)
  chmodSync(path.join(folder, 'claude'), 0o755)
  run('remember', 'Streams go by SSE.', '--agent', 'dev', '--kind', 'decision')
}
const enabled = (world: Pick<PageWorld, 'root' | 'run'>) => {
  withHost(world)
  world.run('agent', 'enable', 'claude-code', '--yes')
}
const toChat = async (page: Page) => {
  await page.evaluate(() => {
    location.hash = '#/chat'
  })
  await page.getByRole('heading', { name: 'Chat', level: 1 }).waitFor()
}

it('talks to an agent, saves the messages, and closes with a handoff', () =>
  inPage(
    async ({ page, run, faults, picture }) => {
      await toChat(page)
      await page.getByLabel('Agent').fill('dev')
      const field = page.getByLabel('Message')
      await field.fill('Why do we')
      await field.press('Shift+Enter')
      await field.pressSequentially('stream like this?')
      await field.press('Enter')
      expect(await field.inputValue()).toBe('')
      await page.getByText('injected from memory').waitFor()
      await page.getByText('Ran Bash').waitFor()
      const said = page.getByRole('list', { name: 'Conversation' })
      await said.getByText('instead of WebSockets').waitFor()
      await said.getByText('<img src=x onerror=alert(1)>').waitFor()
      await said.locator('.code-keyword', { hasText: 'const' }).waitFor()
      await page.getByText('120 tokens in, 34 out').waitFor()
      await page.getByText('injected from memory').click()
      await picture('chat')
      expect(await accessibilityFaults(page)).toEqual([])

      // After a reload, the chat continues with the unsent text.
      await field.fill('And now')
      await page.reload()
      await said.getByText('instead of WebSockets').waitFor()
      expect(await field.inputValue()).toBe('And now')

      // Leaving the page saved a checkpoint, from which the chat can continue.
      expect(run('session', 'recover', '--agent', 'dev')).toContain('instead of WebSockets')
      await page.getByRole('link', { name: 'New chat' }).click()
      await page.getByText('You have an unfinished chat with this agent').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('chat-recover')
      await page.getByRole('button', { name: 'Continue chat' }).click()
      await said.getByText('instead of WebSockets').waitFor()
      await field.press('Enter')
      await said.getByText('Again:').waitFor()
      await page.getByRole('button', { name: 'Copy' }).first().waitFor()

      // A chat of any length can be closed.
      await page.setViewportSize({ width: 1280, height: 420 })
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100)
      const close = page.getByRole('button', { name: 'Close this chat' })
      const box = await close.boundingBox()
      expect(box?.y).toBeGreaterThanOrEqual(0)
      expect(box?.y).toBeLessThan(100)

      await close.click()
      await page.getByText('Chat closed. A handoff').waitFor()
      await page.getByRole('button', { name: 'Review', exact: true }).click()
      await expect.poll(() => page.title()).toBe('Review – project – Cairn')
      expect(run('list', 'handoffs')).toContain('SSE')
      expect(faults).toEqual([])
    },
    { programs: 'bin', before: enabled },
  ))

it('stops, retries, and works on a small screen in the dark theme', () =>
  inPage(
    async ({ page, picture, server }) => {
      await page.evaluate(() => localStorage.setItem('cairn-theme', 'dark'))
      await page.reload()
      await toChat(page)
      await page.getByLabel('Agent').fill('dev')
      await page.getByLabel('Message').fill('Do the long work')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('I begin.').waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
      await page.getByText('I begin.').waitFor()

      await page.getByLabel('Message').fill('break it')
      await page.keyboard.press('Enter')
      await page.getByText('Credit balance is too low').first().waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await picture('chat-320-dark')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('dev is working').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Try again' }).waitFor()

      // Messages from before the crash appear once after the restart.
      await page.getByLabel('Message').fill('Do the last long work')
      await page.keyboard.press('Enter')
      await page.getByText('I begin.').nth(1).waitFor()
      await server.kill()
      await page.getByText('The server is not reachable').waitFor()
      await server.start()
      await page.getByText('The server is not reachable').waitFor({ state: 'detached' })
      const said = page.getByRole('list', { name: 'Conversation' })
      await said.getByText('The connection to the server was lost').waitFor()
      await expect.poll(() => said.getByText('I begin.').count(), { timeout: 20_000 }).toBe(2)
      expect(await said.getByText('Do the last long work').count()).toBe(1)
    },
    { width: 320, height: 640, programs: 'bin', before: enabled },
  ))

it('shows no control characters of messages', () =>
  inPage(
    async ({ page, faults }) => {
      await page.evaluate(() => {
        location.hash = '#/chat?session=s1&agent=dev'
      })
      const said = page.getByRole('list', { name: 'Conversation' })
      await said.getByText('The queue').first().waitFor()
      const shown = await page.evaluate(() => document.body.innerHTML)
      expect(shown).not.toMatch(
        /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      )
      expect(faults).toEqual([])
    },
    {
      before(world) {
        withHost(world)
        const hostile =
          'The queue \u001b[2J\u0007 \u202etxt.exe &#27;[31m `a\u0008b` [x\u001b](https://example.com/\u001b)'
        const text = `${hostile}\n\n\`\`\`ts\n${hostile}\n\`\`\`\n\n- ${hostile}\n`
        const at = '2026-03-16T10:00:00.000Z'
        const lines = [
          { head: { session: 's1', agent: 'dev', host: 'cli', startedAt: at }, n: 0, seen: 0 },
          { n: 0, seen: 1, headAt: 0, role: 'user', text, at },
          { n: 1, seen: 2, headAt: 0, role: 'agent', text, at },
          {
            n: 2,
            seen: 3,
            headAt: 0,
            role: 'tool',
            text: '',
            at,
            run: { tool: `Bash\u001b`, command: hostile, output: hostile },
          },
        ]
        const folder = path.join(world.root, '.memory', 'conversations', 'dev')
        mkdirSync(folder, { recursive: true })
        writeFileSync(path.join(folder, 's1.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
      },
    },
  ))

it('explains how to enable a host, and runs only enabled hosts', () =>
  inPage(
    async ({ page, run, faults, picture }) => {
      await toChat(page)
      await page.getByText('No host is enabled.').waitFor()
      await page.locator('.notice').getByText('cairn agent enable claude-code').waitFor()
      await page.getByLabel('Message').fill('Hello')
      const send = page.getByRole('button', { name: 'Send' })
      expect(await send.isDisabled()).toBe(true)
      // The button gives the reason, visibly and to screen readers.
      const why = await page.locator(`[id="${await send.getAttribute('aria-describedby')}"]`).innerText()
      expect(why).toBe(
        'Enable a host before you send a message. Run in a terminal: cairn agent enable claude-code',
      )
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('chat-no-host')
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await page.getByText('Enable a host before you send a message').scrollIntoViewIfNeeded()
      await picture('chat-no-host-320')
      await page.setViewportSize({ width: 1280, height: 800 })
      run('agent', 'enable', 'claude-code', '--yes')
      await page.reload()
      await page.getByLabel('Host').waitFor()
      expect(await page.getByLabel('Host').locator('option:not([disabled])').allInnerTexts()).toEqual([
        'Claude Code 9.9.9',
      ])
      expect(await send.isDisabled()).toBe(false)
      expect(await page.getByText('Enable a host before you send a message').count()).toBe(0)
      expect(faults).toEqual([])
    },
    { programs: 'bin', before: withHost },
  ))
