import { spawn } from 'node:child_process'
import { environmentVariable } from '../../kernel/system/environment.ts'

/** Whether the user can see a browser: not in CI, and not without a screen. */
export function hasScreen(platform: NodeJS.Platform = process.platform): boolean {
  if (environmentVariable('CI') !== undefined) return false
  if (platform === 'darwin' || platform === 'win32') return true
  return environmentVariable('DISPLAY') !== undefined || environmentVariable('WAYLAND_DISPLAY') !== undefined
}

/** Opens the page in the user's browser. If that fails, the address is on the terminal. */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
  const [program, ...words] = commandFor(url, platform)
  const opened = spawn(program, words, { detached: true, stdio: 'ignore', windowsHide: true })
  opened.on('error', error =>
    process.stderr.write(`cairn: no browser was opened (${error.message.slice(0, 100)}).\n`),
  )
  opened.unref()
}

/** Started without a shell, so no character of the address has a special meaning. */
function commandFor(url: string, platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return ['xdg-open', url]
}
