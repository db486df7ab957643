import { commandWords } from '../install/decide/hook-command.ts'
import {
  commandTargets,
  folderFrom,
  type HostIntegration,
  jsonServer,
  SERVER_NAME,
} from '../install/decide/host-integration.ts'
import { OWN_MARKER } from '../install/decide/own-file.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'
import { openCodePlugin } from './plugin.ts'

const HOST = 'opencode'

function folder(places: HostPlaces): string {
  const settings = folderFrom(places, 'XDG_CONFIG_HOME', '.config')
  return places.environment('OPENCODE_CONFIG_DIR') === undefined
    ? `${settings}/opencode`
    : folderFrom(places, 'OPENCODE_CONFIG_DIR', '.config/opencode')
}

/** The one that is there; it reads both. */
function configFile(places: HostPlaces & { level: string }): string {
  const at = places.level === 'user' ? folder(places) : `${places.project}`
  return places.exists(`${at}/opencode.jsonc`) && !places.exists(`${at}/opencode.json`)
    ? `${at}/opencode.jsonc`
    : `${at}/opencode.json`
}

/**
 * Before it loads a plugin OpenCode installs a package of its own into its folder, and without a network npm tries for more than a
 * minute, at every start. Not trying twice leaves the rest as it is: with a network the package comes as before.
 */
const NPM_SETTINGS = `# ${OWN_MARKER}
# OpenCode installs a package here before it loads plugins; without a network it would wait a minute at every start.
fetch-retries=0
`

export const openCode: HostIntegration = {
  host: HOST,
  programs: ['opencode'],
  folder,
  serverFile: configFile,
  files(wanted) {
    const at = wanted.level === 'user' ? folder(wanted) : `${wanted.project}/.opencode`
    return [
      {
        format: 'json',
        path: configFile(wanted),
        pieces: [
          jsonServer(['mcp'], {
            type: 'local',
            command: [...commandWords(wanted.command), 'mcp'],
            enabled: true,
          }),
        ],
      },
      {
        format: 'own',
        path: `${at}/plugins/${SERVER_NAME}.js`,
        name: 'plugin cairn, which calls the hooks',
        text: openCodePlugin(wanted.command),
      },
      {
        format: 'own',
        path: `${at}/.npmrc`,
        name: 'no second try of npm in this folder',
        text: NPM_SETTINGS,
      },
      ...commandTargets(HOST, wanted.command, { commands: `${at}/commands`, skills: `${at}/skills` }),
    ]
  },
  remarks: () => [],
}
