import { hubProject, isHub } from './api/hub-address.ts'
import { sendEarly } from './api/send.ts'
import { readTokenFromAddress, token } from './api/token-store.ts'

/**
 * Runs as soon as it is there, long before the page: a script of its own that holds nothing but the first questions, which the server
 * answers while the browser still compiles React. Each is written as the page will ask it, and is then not asked again.
 */
readTokenFromAddress()
// A hub answers nothing without a token, and its own page is of no memory.
const isAsking = !isHub || (hubProject !== undefined && token() !== undefined)
if (isAsking) {
  sendEarly('live', {}, 'text/event-stream')
  sendEarly('vault', {}, 'application/json')
}
if (isAsking && location.hash === '')
  sendEarly('list', { category: 'decisions', offset: 0, limit: 60 }, 'application/json')
