import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HOSTS } from '../../src/hosts/hosts.ts'
import { HOST_IDS, type HostId } from '../../src/kernel/model/host.ts'

const PINNED = new URL('./hook-files-0.1.0.json', import.meta.url)

type Hooks = { readonly path: string; readonly groups?: Record<string, unknown>; readonly text?: string }[]

/** What 0.1.0 writes into the hook files of each host, event by event, and the plugin of OpenCode. */
async function hooksOf(host: HostId): Promise<unknown> {
  const { files: filesOf } = await HOSTS[host].install()
  const files = filesOf({
    hooks: HOSTS[host].hooks.events,
    home: '/home/u',
    environment: () => undefined,
    isWindows: false,
    exists: () => false,
    level: 'user',
    command: { kind: 'on-path' },
    serverAnswers: true,
    switchOffAutoMemory: false,
  })
  return files.flatMap((file): Hooks => {
    if (file.format === 'json')
      return file.pieces.flatMap(piece =>
        piece.kind === 'hooks' ? [{ path: file.path, groups: piece.groups }] : [],
      )
    return file.format === 'own' && file.path.endsWith('.js') ? [{ path: file.path, text: file.text }] : []
  })
}

/** Codex trusts a hook by its place and its text. A new hook goes to the end of its list; nothing that stands here may change or move. */
test('the hooks of 0.1.0 stand in the hosts’ files as they did, in the same order', async () => {
  const pinned = JSON.parse(readFileSync(PINNED, 'utf8')) as Record<string, Hooks>
  for (const host of HOST_IDS) {
    const now = JSON.parse(JSON.stringify(await hooksOf(host))) as Hooks
    const then = pinned[host] ?? []
    expect(now, host).toMatchObject(then)
    for (const [at, { groups = {} }] of then.entries()) {
      const events = Object.keys(groups)
      expect(Object.keys(now[at]?.groups ?? {}).slice(0, events.length), host).toEqual(events)
    }
  }
})
