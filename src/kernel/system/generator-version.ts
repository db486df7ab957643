declare const CAIRN_VERSION: string

/** Which Cairn wrote a file. Only a build knows its number. */
export function generatorVersion(): string {
  return typeof CAIRN_VERSION === 'undefined' ? 'development' : CAIRN_VERSION
}
