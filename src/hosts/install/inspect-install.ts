import { CairnError } from '../../kernel/model/errors.ts'
import type { HostId, InstallLevel } from '../../kernel/model/host.ts'
import type { TargetFile } from './decide/target-file.ts'
import { readHostFile } from './host-file.ts'
import { type InstallParts, installRecords } from './install-parts.ts'
import { isFrame, type PutTarget, putTarget, wantedFor } from './work-out-install.ts'

interface InstalledPiece {
  /** In words: "hooks SessionStart, …", "MCP server cairn", "command remember". */
  readonly name: string
  readonly path: string
  /** `outdated`: ours, but from another version. `broken`: unreadable, or its place is taken by something that is not ours. */
  readonly state: 'none' | 'current' | 'outdated' | 'broken'
  readonly words: string
}

export interface InstallState {
  readonly host: HostId
  readonly level: InstallLevel
  /** `partly`: some pieces are missing. */
  readonly state: 'none' | 'current' | 'outdated' | 'broken' | 'partly'
  /** Something of ours is installed. */
  readonly isOurs: boolean
  readonly pieces: readonly InstalledPiece[]
}

/** The state of each piece of a host, for `cairn doctor` and `cairn status`. Reads only, and never fails on a file of the host. */
export function inspectInstall(parts: InstallParts, host: HostId, level: InstallLevel): InstallState {
  const integration = parts.integrations[host]
  const targets = integration.files(serverAware(parts, host, level))
  const pieces = targets.flatMap(target => inspectTarget(parts, target, level))
  const isOurs = pieces.some(({ state }) => state === 'current' || state === 'outdated')
  return { host, level, state: wholeState(pieces, isOurs), isOurs, pieces }
}

function serverAware(parts: InstallParts, host: HostId, level: InstallLevel) {
  try {
    return wantedFor(parts, parts.integrations[host], { level })
  } catch (error) {
    // A damaged file is reported with its pieces.
    if (error instanceof CairnError && error.code !== 'project_not_found') {
      return wantedFor(parts, parts.integrations[host], { level }, { asks: false })
    }
    throw error
  }
}

function inspectTarget(parts: InstallParts, target: TargetFile, level: InstallLevel): InstalledPiece[] {
  const { path } = target
  try {
    const text = readHostFile(parts, path, level) ?? null
    const { states } = putTarget(target, text, installRecords(parts).find(path))
    return states
      .filter(({ name }) => !isFrame(target, name))
      .map(({ name, state }) => ({ name, path, ...READINGS[state] }))
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const names = target.format === 'json' ? target.pieces.map(({ name }) => name) : [target.name]
    return names.map(name => ({ name, path, state: 'broken', words: error.message }))
  }
}

const READINGS: Readonly<
  Record<PutTarget['states'][number]['state'], Pick<InstalledPiece, 'state' | 'words'>>
> = {
  none: { state: 'none', words: 'not installed' },
  current: { state: 'current', words: 'as it should be' },
  outdated: { state: 'outdated', words: 'ours, and not as this version writes it' },
  edited: { state: 'current', words: 'ours, changed by hand' },
  taken: { state: 'broken', words: 'there is something of that name that is not ours' },
}

function wholeState(pieces: readonly InstalledPiece[], isOurs: boolean): InstallState['state'] {
  const states = new Set(pieces.map(({ state }) => state))
  if (!isOurs) return states.has('broken') ? 'broken' : 'none'
  if (states.has('broken')) return 'broken'
  if (states.has('none')) return 'partly'
  return states.has('outdated') ? 'outdated' : 'current'
}
