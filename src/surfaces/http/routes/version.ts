declare const CAIRN_VERSION: string

/** Undefined without a build, as in a test. */
export function cairnVersion(): string {
  return typeof CAIRN_VERSION === 'string' ? CAIRN_VERSION : '0.0.0'
}
