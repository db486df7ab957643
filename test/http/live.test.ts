import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type HttpWorld, httpWorld } from './http-world.ts'

const SECONDS = 1_000

interface Listening {
  /** The parts that were told of since the last call, as soon as all of `wanted` are among them. */
  heard(...wanted: string[]): Promise<string[]>
  /** What else was told in so long. */
  silence(ms: number): Promise<string[]>
  readonly hello: unknown
}

async function world(): Promise<HttpWorld> {
  const made = await httpWorld()
  onTestFinished(made.end)
  return made
}

async function listen(address: string): Promise<Listening> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await fetch(`${address}/api/live`, { signal: leaving.signal })
  const parts = new Set<string>()
  let onNews = (): void => undefined
  let said: ((hello: unknown) => void) | undefined
  const hello = new Promise(resolve => {
    said = resolve
  })
  const read = async () => {
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk)
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, name, data = '{}'] = /^event: (.+)\ndata: (.*)$/s.exec(event) ?? []
        if (name === 'hello') said?.(JSON.parse(data))
        if (name === 'change') for (const part of JSON.parse(data).parts) parts.add(part)
      }
      onNews()
    }
  }
  read().catch(error => {
    if (error.name !== 'AbortError') throw error
  })
  const taken = () => {
    const told = [...parts].sort()
    parts.clear()
    return told
  }
  return {
    hello: await hello,
    async heard(...wanted) {
      while (!wanted.every(part => parts.has(part)))
        await new Promise<void>(resolve => {
          onNews = resolve
        })
      // What comes in the same breath.
      await new Promise(resolve => setTimeout(resolve, 250))
      return taken()
    },
    async silence(ms) {
      await new Promise(resolve => setTimeout(resolve, ms))
      return taken()
    },
  }
}

const VAULT = ['conflicts', 'entries', 'review']

it(
  'tells what other processes change: the command line, an editor, git',
  async () => {
    const { root, memory, address, run, git } = await world()
    const live = await listen(address)
    expect(live.hello).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), root })

    // A memory that was not there before.
    run('remember', 'We use SSE for live updates.', '--agent', 'dev', '--kind', 'decision')
    expect(await live.heard('entries')).toEqual(expect.arrayContaining(VAULT))
    await live.silence(300)

    // An editor: a temporary file beside it that takes its place.
    const file = path.join(memory, 'dev', 'decisions.md')
    writeFileSync(`${file}~`, 'what it was')
    expect(await live.silence(500)).toEqual([])
    writeFileSync(path.join(memory, 'dev', '.new'), `## 2026-11-16T10:00\n\nWritten by hand.\n\n---\n`)
    renameSync(path.join(memory, 'dev', '.new'), path.join(memory, 'dev', 'lessons.md'))
    expect(await live.heard('entries')).toEqual(VAULT)

    writeFileSync(path.join(memory, '_project.md'), 'A project.\n')
    expect(await live.heard('project-text')).toEqual(['project-text'])
    git('init', '--quiet')
    git('add', '.memory/_project.md')
    git('commit', '--quiet', '-m', 'what it is')
    writeFileSync(path.join(memory, '_project.md'), 'Another project.\n')
    await live.heard('project-text')
    git('checkout', '--quiet', '--', '.memory/_project.md')
    expect(await live.heard('project-text')).toEqual(['project-text'])
    run('config', 'set', 'upkeep.auto', 'false')
    expect(await live.heard('config')).toEqual(expect.arrayContaining(['config']))
    await live.silence(300)

    run('session', 'append', '9f3c', '--agent', 'dev', '--text', 'Why is the build slow?')
    expect(await live.heard('sessions')).toEqual(['sessions'])
    // In a folder that came after it was listened to.
    run('session', 'append', '9f3c', '--agent', 'dev', '--text', '#remember The tests need port 5433.')
    expect(await live.heard('sessions')).toEqual(['sessions'])
    run('session', 'close', '9f3c')
    expect(await live.heard('sessions', 'entries')).toEqual(expect.arrayContaining(['review', 'sessions']))
    await live.silence(400)

    rmSync(path.join(memory, 'dev'), { recursive: true })
    expect(await live.heard('entries')).toEqual(expect.arrayContaining(VAULT))
    run('compact')
    expect(await live.heard('upkeep')).toEqual(expect.arrayContaining(['upkeep']))
  },
  60 * SECONDS,
)

it(
  'says nothing where nothing changes: while it is read, searched and listed',
  async () => {
    const { run, address } = await world()
    run('remember', 'We use SSE for live updates.')
    const live = await listen(address)
    await live.silence(1_500)
    for (const path of ['search?query=live', 'entries', 'vault', 'status', 'fresh', 'health', 'timeline'])
      expect((await fetch(`${address}/api/${path}`)).status).toBe(200)
    run('search', 'live')
    run('status')
    expect(await live.silence(4_500)).toEqual([])
  },
  60 * SECONDS,
)

it(
  'tells every listener, and one that comes later what happens from then on',
  async () => {
    const { memory, run, address } = await world()
    run('remember', 'We use SSE for live updates.', '--agent', 'dev')
    const first = await listen(address)
    const second = await listen(address)
    appendFileSync(path.join(memory, 'dev', 'lessons.md'), '\n## 2026-11-16T10:00\n\nBy hand.\n\n---\n')
    expect(await Promise.all([first.heard('entries'), second.heard('entries')])).toEqual([VAULT, VAULT])
    const third = await listen(address)
    expect(await third.silence(500)).toEqual([])
  },
  60 * SECONDS,
)
