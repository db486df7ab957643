import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const KNOWN = [
  process.env.CAIRN_BROWSER,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** The browser that the tests of the page drive: one that is installed, or Debian's, which is installed where that can be done. */
export function findBrowser() {
  const found = KNOWN.find(path => path !== undefined && existsSync(path))
  if (found !== undefined) return found
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    const apt = words => execFileSync('apt-get', words, { stdio: ['ignore', 'ignore', 'inherit'] })
    apt(['update', '-qq'])
    apt([
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      'chromium',
      'fonts-liberation',
      'fonts-noto-color-emoji',
    ])
    return findBrowser()
  }
  throw new Error('The tests of the page need Chromium or Chrome: install one, or name it in CAIRN_BROWSER.')
}

/** Once, before the first test: files that run side by side do not install it side by side. */
export default function setup() {
  findBrowser()
}
