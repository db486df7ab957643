declare const CAIRN_VERSION: string

/** The Cairn version that wrote a file. Only a build knows its number. */
export function generatorVersion(): string {
  return typeof CAIRN_VERSION === 'undefined' ? 'development' : CAIRN_VERSION
}
