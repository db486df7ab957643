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

export const NO_BROWSER =
  'needs Chromium or Chrome: install one (Debian: apt-get install chromium), or name its program in CAIRN_BROWSER'

/** The installed browser that drives the page; undefined when there is none. */
export function findBrowser() {
  return KNOWN.find(path => path !== undefined && existsSync(path))
}

/** The same for a caller that cannot do without one. */
export function getBrowser() {
  const found = findBrowser()
  if (found === undefined) throw new Error(`This ${NO_BROWSER}.`)
  return found
}
