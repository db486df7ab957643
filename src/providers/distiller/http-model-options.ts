import { environmentVariable } from '../../kernel/system/environment.ts'
import { modelUnavailable } from './model-failure.ts'

export interface HttpModelOptions {
  readonly url: string
  readonly name: string
  /** The NAME of the environment variable with the key. The key itself is kept nowhere. */
  readonly keyVariable: string
  readonly timeoutMs: number
  /** Before the first repetition; it doubles. Default 500. */
  readonly firstPauseMs?: number
}

export const FIRST_PAUSE_MS = 500
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The address with the end of a path that it may have already. */
export function endpoint(url: string, ends: readonly string[]): URL {
  const address = new URL(url)
  const known = address.pathname.replace(/\/+$/, '')
  const missing = ends.findIndex((_, at) => known.endsWith(ends.slice(0, ends.length - at).join('')))
  address.pathname = known + (missing < 0 ? ends : ends.slice(ends.length - missing)).join('')
  return address
}

export function checkName({ name }: HttpModelOptions): void {
  if (name !== '') return
  throw modelUnavailable('No model is named.', 'For instance `cairn config set model.name qwen3:8b`.')
}

/** Read when it is needed, and handed to one request. */
export function keyFor(url: URL, { keyVariable }: HttpModelOptions): string | undefined {
  const key = environmentVariable(keyVariable)?.trim()
  if (key === undefined || key === '') return undefined
  if (!/^[\x21-\x7e]+$/.test(key))
    throw modelUnavailable(
      `The variable ${keyVariable} holds something that cannot be a key.`,
      'Set it to the key alone.',
    )
  if (url.protocol !== 'https:' && !LOOPBACK.test(url.hostname))
    throw modelUnavailable(
      `The key would go to ${url.host} without encryption.`,
      `Use an https address, or leave ${keyVariable} unset for a server that needs no key.`,
    )
  return key
}
