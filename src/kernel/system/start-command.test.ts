import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { scratchProject } from '../../../test/support/scratch-project.ts'
import { trialEnvironment } from './environment.ts'
import { startCommand } from './start-command.ts'

it('starts nothing that would outlive a trial', async () => {
  const folder = scratchProject({ 'mark.cjs': 'require("node:fs").writeFileSync(process.argv[2], "")' })
  const argv = process.argv
  onTestFinished(() => {
    process.argv = argv
    vi.unstubAllEnvs()
  })
  process.argv = [process.execPath, path.join(folder, 'mark.cjs')]
  const [tried, started] = [path.join(folder, 'tried'), path.join(folder, 'started')]
  vi.stubEnv('CAIRN_TRIAL', trialEnvironment(folder, {}).CAIRN_TRIAL)
  await startCommand([tried])
  vi.stubEnv('CAIRN_TRIAL', undefined)
  await startCommand([started])
  await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 60_000 })
  expect(existsSync(tried)).toBe(false)
})
