import { hubProject, isHub } from './api/hub-address.ts'
import { sendEarly } from './api/send.ts'
import { readTokenFromAddress, token } from './api/token-store.ts'

/**
 * Runs before the rest of the page: a separate script that sends the first requests while the browser still compiles React. Each request
 * must match exactly the one that the page sends, or it is sent twice.
 */
readTokenFromAddress()
// A hub answers no request without a token, and its own page has no memory.
const isAsking = !isHub || (hubProject !== undefined && token() !== undefined)
if (isAsking) {
  sendEarly('live', {}, 'text/event-stream')
  sendEarly('vault', {}, 'application/json')
}
if (isAsking && location.hash === '')
  sendEarly('list', { category: 'decisions', offset: 0, limit: 60 }, 'application/json')
