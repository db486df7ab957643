declare const CAIRN_VERSION: string

/** Where nothing was built, as in a test, there is none. */
export function cairnVersion(): string {
  return typeof CAIRN_VERSION === 'string' ? CAIRN_VERSION : '0.0.0'
}
