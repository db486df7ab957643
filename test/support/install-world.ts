import * as path from 'node:path'
import type { CairnCommand } from '../../src/hosts/install/decide/install-plan.ts'
import { type InstallParts, loadIntegrations } from '../../src/hosts/install/install-parts.ts'
import { type Disk, nodeDisk, privateDisk } from '../../src/kernel/system/disk.ts'
import { scratchProject } from './scratch-project.ts'

const integrations = await loadIntegrations()

/** A home folder and a project of their own, and everything that installing stands on. */
export function installWorld(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  given: {
    readonly environment?: Readonly<Record<string, string>>
    readonly command?: CairnCommand
    readonly disk?: Disk
    readonly isWindows?: boolean
    readonly at?: string
  } = {},
): { readonly at: string; readonly parts: InstallParts } {
  const at = given.at ?? scratchProject({ 'project/README.md': '# Project\n', 'home/.profile': '', ...files })
  let count = 0
  return {
    at,
    parts: {
      disk: given.disk ?? nodeDisk,
      privateDisk: given.disk ?? privateDisk,
      home: path.join(at, 'home'),
      environment: name => given.environment?.[name],
      isWindows: given.isWindows ?? false,
      project: path.join(at, 'project'),
      records: path.join(at, 'cairn/installs'),
      integrations,
      command: given.command ?? { kind: 'on-path' },
      exclusively: async work => work(),
      now: () => '2026-11-16T09:00:00.000Z',
      unique: () => String(count++),
    },
  }
}
