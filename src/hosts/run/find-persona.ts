import * as path from 'node:path'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { isInside } from '../../kernel/system/paths.ts'
import { plainFileInfo, readPart } from '../../kernel/system/plain-file.ts'
import { personaPaths, personaText } from './decide/compose-prompt.ts'

const MAX_BYTES = 65_536

interface Persona {
  readonly text: string
  /** Relative to the project. */
  readonly path: string
}

/** The role of an agent from a file of the project. No link is followed out of the project. */
export function findPersona(root: string, agent: string): Persona | undefined {
  const realRoot = nodeDisk.realPath(root) ?? root
  for (const each of personaPaths(agent)) {
    const seen = plainFileInfo(path.join(root, each))
    if (seen === undefined || !isInside(seen.realPath, realRoot)) continue
    const bytes = readPart(seen.realPath, 0, Math.min(seen.size, MAX_BYTES))
    const text = personaText(new TextDecoder().decode(bytes))
    if (text !== '') return { text, path: each }
  }
  return undefined
}
