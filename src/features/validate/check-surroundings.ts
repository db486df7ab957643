import { portOf } from '../../kernel/checkout.ts'
import { judgeIgnore, judgeTracked } from './decide/git-tracking.ts'
import { judgeIndex } from './decide/index-file.ts'
import { textOf } from './decide/json-text.ts'
import { judgeTree } from './decide/tree-items.ts'
import type { ValidationCheck } from './look.ts'

const MAX_IGNORE_BYTES = 1_048_576
const COMPACT_LOG = '.vault/compact-log.json'

export const filesCheck: ValidationCheck = {
  name: 'files',
  about: 'names, links, rights, leftovers of processes that died',
  async run(look) {
    look.add(judgeTree(look.items, look.nowMs))
  },
}

export const gitCheck: ValidationCheck = {
  name: 'git',
  about: '.gitignore, and whether git tracks what is private or local',
  async run(look) {
    const bytes = look.bytes('.gitignore', MAX_IGNORE_BYTES)
    const text = bytes && textOf(bytes)
    if (bytes !== undefined || !look.has('.gitignore')) look.add(judgeIgnore(text))
    const tracked = await look.engine.gitTracking?.tracked()
    if (tracked?.kind === 'read') look.add(judgeTracked(tracked.paths, text))
    if (tracked?.kind === 'unreadable') look.skip('what git tracks', tracked.why)
  },
}

export const indexCheck: ValidationCheck = {
  name: 'index',
  about: '.vault/: whether the index can be used, and is level with the vault',
  async run(look) {
    const glance = await portOf(look.engine.indexGlance, 'The index in a file').glance(look.isDeep)
    if (glance.kind === 'unreachable') look.skip('.memory/.vault/index.db', glance.why)
    const paths = new Set(look.vault().map(({ path }) => path))
    look.add(
      judgeIndex(
        glance,
        look.items.filter(({ path }) => paths.has(path)),
      ),
    )
    const log = look.json(COMPACT_LOG)
    if (log?.kind === 'damaged')
      look.add([
        {
          code: 'compact_log_damaged',
          severity: 'warning',
          path: `.memory/${COMPACT_LOG}`,
          line: log.line,
          message: `the log of upkeep cannot be read: ${log.why}`,
          fix: 'Remove it; the next `cairn compact` writes a new one.',
        },
      ])
  },
}
