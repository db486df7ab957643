import { HOST_FOLDERS, type HostRuleFolders } from './decide/host-folders.ts'
import type { HotFinding } from './decide/lint.ts'
import type { WantedLink } from './decide/plan-links.ts'
import type { RulePorts } from './decide/ports.ts'
import type { HotFileSet } from './hot-files.ts'
import { inspectLinks, type LinkReport, type LinkSet } from './linking.ts'

/** The rule files in each host's rules folder. */
export function ruleLinkSet({ folder, common }: Pick<HotFileSet, 'folder' | 'common'>): LinkSet {
  return {
    kind: 'hot',
    folder,
    sources: new Set(common.map(({ path }) => path)),
    foldersOf: ({ rules }) => (rules === undefined ? [] : [rules.folder]),
    wantedFor: ({ host, rules }: HostRuleFolders) =>
      rules === undefined
        ? []
        : common.flatMap(({ path: source, text }): WantedLink[] => {
            const name = source.slice(folder.length + 1).replace(/\.mdc?$/i, '')
            const path = `${rules.folder}/${name}${rules.ending}`
            // The folder of the rules may itself be a host's folder, so no link is needed.
            if (path === source) return []
            const { form, frontMatter } = rules
            const wanted = {
              host,
              path,
              copyPath: path,
              to: source,
              source,
              text,
              form,
              ...(frontMatter !== undefined && { frontMatter }),
            }
            return [wanted]
          }),
  }
}

/** The links of every host, because a link may remain after the host is no longer used. */
export async function checkRuleLinks(memory: RulePorts, files: HotFileSet): Promise<LinkReport> {
  return inspectLinks(memory, ruleLinkSet(files), { hosts: HOST_FOLDERS })
}

const DRIFT = {
  behind: ['copy_behind', 'is behind its source', '`cairn hot link` writes it again.'],
  edited: [
    'copy_edited',
    'is a copy that was changed by hand',
    'Move the change to its source, remove the copy, then `cairn hot link`.',
  ],
  flat: ['link_flat', 'is a link that git wrote as a file', '`cairn hot link` makes a link or a copy of it.'],
  taken: [
    'place_taken',
    'is in the place of a linked rule file, and not one of ours',
    'Move it away, or leave the host without this file.',
  ],
} as const

/** Differences between the sources and the files that hosts read. */
export function linkFindings({ plans, orphans }: LinkReport): HotFinding[] {
  const linkedHosts = new Set(
    plans.filter(({ state }) => state !== 'absent').map(({ wanted }) => wanted.host),
  )
  const drifted = plans.flatMap(({ wanted, state }): HotFinding[] => {
    if (state === 'linked' || state === 'copied') return []
    if (state === 'absent') {
      // A host without any link is skipped, because the user may have chosen not to link it.
      if (!linkedHosts.has(wanted.host)) return []
      const message = `${wanted.source} is not linked for ${wanted.host}, and others are.`
      return [
        {
          level: 'warning',
          code: 'not_linked',
          path: wanted.path,
          message,
          hint: '`cairn hot link` adds it.',
        },
      ]
    }
    const [code, what, hint] = DRIFT[state]
    const level = state === 'taken' ? 'warning' : 'error'
    return [{ level, code, path: wanted.path, message: `${wanted.path} ${what} (${wanted.source}).`, hint }]
  })
  const broken = orphans.map(({ path, what }): HotFinding => {
    const isEdited = what === 'edited copy'
    const is = what === 'broken link' ? 'is a link whose source is gone' : 'is a copy whose source is gone'
    return {
      level: 'error',
      code: isEdited ? 'copy_edited' : 'link_broken',
      path,
      message: `${path} ${is}${isEdited ? ', changed by hand' : ''}.`,
      hint: isEdited ? 'Copy what you still need, then remove the file.' : '`cairn hot link` removes it.',
    }
  })
  return [...drifted, ...broken]
}
