import * as path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { hasIntegration } from '../src/hosts/hooks/own-integration.ts'
import { applyInstall, applyUninstall, planInstall, planUninstall } from '../src/hosts/install/installer.ts'
import type { InstallLevel } from '../src/kernel/model/host.ts'
import { installWorld } from './support/install-world.ts'

const before = process.env.CAIRN_HOME
afterEach(() => {
  if (before === undefined) delete process.env.CAIRN_HOME
  else process.env.CAIRN_HOME = before
})

const LEVELS: readonly (readonly [InstallLevel, elsewhere: boolean])[] = [
  ['user', true],
  ['project', false],
]

it.each(LEVELS)(
  'sees an integration that was installed for the %s, until it is uninstalled',
  async (level, elsewhere) => {
    const { at, parts } = installWorld()
    process.env.CAIRN_HOME = path.join(at, 'cairn')
    const [here, other] = [path.join(at, 'project'), path.join(at, 'other')]
    expect(hasIntegration('copilot', here)).toBe(false)
    await applyInstall(parts, planInstall(parts, { hosts: ['copilot'], level }))
    expect(hasIntegration('copilot', here)).toBe(true)
    expect(hasIntegration('copilot', other)).toBe(elsewhere)
    expect(hasIntegration('cursor', here)).toBe(false)
    await applyUninstall(parts, planUninstall(parts, {}))
    expect(hasIntegration('copilot', here)).toBe(false)
  },
)
