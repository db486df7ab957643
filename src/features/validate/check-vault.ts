import { isPrint } from '../freshness/decide/content-print.ts'
import { judgeLinks } from './decide/entry-links.ts'
import { judgeVaultFiles } from './decide/vault-files.ts'
import type { ValidationCheck } from './look.ts'

const DAY_MS = 86_400_000

export const vaultCheck: ValidationCheck = {
  name: 'vault',
  about: 'entries, ids, dates, fields, pages, conflicts that git left',
  async run(look) {
    look.add(
      judgeVaultFiles(look.vault(), {
        maxEntryBytes: look.config['vault.maxEntryBytes'],
        pageBytes: look.config['vault.pageBytes'],
        maxEntriesPerFile: look.config['vault.maxEntriesPerFile'],
        nowMs: look.nowMs,
        latestDate: new Date(look.nowMs + DAY_MS).toISOString().slice(0, 16),
        isPrint,
      }),
    )
  },
}

export const linksCheck: ValidationCheck = {
  name: 'links',
  about: 'links of entries that lead nowhere',
  async run(look) {
    look.add(judgeLinks(look.vault()))
  },
}
