import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { InstallParts } from '../../src/hosts/install/install-parts.ts'
import {
  applyInstall,
  applyUninstall,
  planInstall,
  planUninstall,
} from '../../src/hosts/install/installer.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { installWorld } from '../support/install-world.ts'

const FILES = {
  'home/.codex/config.toml': 'model = "o"\r\n',
  'home/.codex/hooks.json': '{ "hooks": { "Stop": [ /* mine */ ] } }',
}
const HOSTS = ['codex'] as const

/** Every file of the hosts and of the project; a temporary file of a process that died takes nobody's place. */
function seen(at: string): Record<string, string> {
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter(
    name =>
      !name.startsWith('cairn') && !name.endsWith('.cairn-tmp') && lstatSync(path.join(at, name)).isFile(),
  )
  return Object.fromEntries(files.map(name => [name, readFileSync(path.join(at, name), 'utf8')]))
}

const install = (parts: InstallParts) =>
  applyInstall(parts, planInstall(parts, { hosts: HOSTS, level: 'user' }))
const uninstall = (parts: InstallParts) => applyUninstall(parts, planUninstall(parts, {}))
const moved = { kind: 'script', node: '/n/node', script: '/x/dist/cairn.cjs' } as const

const CASES: readonly {
  readonly name: string
  readonly prepare?: (parts: InstallParts) => Promise<unknown>
  readonly act: (parts: InstallParts) => Promise<unknown>
}[] = [
  { name: 'it is installed', act: install },
  { name: 'it is renewed', prepare: install, act: parts => install({ ...parts, command: moved }) },
  { name: 'it is uninstalled', prepare: install, act: uninstall },
]

describe.each(CASES)('when a disk step fails while $name', ({ prepare, act }) => {
  it.each([
    ['once', false],
    ['and every step after it', true],
  ])(
    '%s, each file is the old or the new one, and uninstalling restores every byte',
    async (_name, forGood) => {
      const { at: original, parts } = installWorld(FILES)
      const untouched = seen(original)
      await prepare?.(parts)
      const before = seen(original)
      const fresh = async () => {
        const world = installWorld(FILES)
        await prepare?.(world.parts)
        return world.at
      }
      const whole = failingDisk(Number.POSITIVE_INFINITY, { forGood })
      const done = await fresh()
      await act(installWorld({}, { at: done, disk: whole.disk }).parts)
      const after = seen(done)
      expect(after).not.toEqual(before)

      for (let step = 1; step <= whole.steps(); step++) {
        const at = await fresh()
        const failing = installWorld({}, { at, disk: failingDisk(step, { forGood }).disk }).parts
        const outcome = await act(failing).then(
          () => 'done',
          (error: Error) => error.name,
        )
        expect(['done', 'CairnError', 'Error']).toContain(outcome)
        const now = seen(at)
        for (const name of new Set([...Object.keys(before), ...Object.keys(now), ...Object.keys(after)]))
          expect([before[name], after[name]], `${name} at step ${step}`).toContain(now[name])
        await uninstall(installWorld({}, { at }).parts)
        expect(seen(at), `step ${step}`).toEqual(untouched)
      }
    },
  )
})
