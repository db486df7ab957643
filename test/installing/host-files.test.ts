import { describe, expect, it } from 'vitest'
import { planInstall } from '../../src/hosts/install/installer.ts'
import { HOST_IDS, INSTALL_LEVELS } from '../../src/kernel/model/host.ts'
import { installWorld } from '../support/install-world.ts'

/** Texts of commands and skills have tests of their own. */
const CONFIG = /\.(?:jsonc?|js)$|config\.toml$|\.npmrc$/

describe.each(HOST_IDS)('%s', host => {
  it.each(INSTALL_LEVELS)('has these files for the %s', async level => {
    const { at, parts } = installWorld()
    const { changes } = planInstall(parts, { hosts: [host], level })
    const files = changes.map(({ path, after }) => {
      const name = path.slice(at.length + 1)
      return CONFIG.test(name) ? `=== ${name}\n${after}` : `=== ${name}\n`
    })
    await expect(files.join('\n')).toMatchFileSnapshot(`../golden/hosts/${host}-${level}.txt`)
  })
})
