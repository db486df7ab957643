import process from 'node:process'
import { beforeEach } from 'vitest'
import { findBrowser, NO_BROWSER } from './find-browser.mjs'

// CI installs a browser (.ci/run): there, a page test without one fails.
if (findBrowser() === undefined && process.env.CI === undefined)
  beforeEach(context => context.skip(NO_BROWSER))
