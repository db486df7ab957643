/** What git's shell runs. `%O %A %B %L %P` are put in by git, quoted; a `%` of ours is written twice. */
const PLACES = '%O %A %B %L %P %X %Y'

/**
 * What git makes of an exit code: merged; in conflict, look at the file; the merge has failed and nothing counts. To git any small
 * number is a conflict. Ours is one with which no broken program ends by itself.
 */
export const DRIVER_EXIT = { merged: 0, conflict: 65, failed: 129 } as const

/**
 * The program as it was when it was installed; if that has gone (an npx cache that was cleared, another Node), a `cairn` on the
 * path; and without any, or where it ends in another way than we do (a Node that is too old, half an installation, a kill),
 * git's own merge of text. Otherwise git would take our side alone for a file in conflict.
 */
export function driverCommand({ node, script }: { readonly node: string; readonly script: string }): string {
  const asText = 'git merge-file -L ours -L base -L theirs --marker-size=%L %A %O %B'
  return [
    `n=${quoted(node)}; s=${quoted(script)}; test -x "$n" || n=node;`,
    `if test -f "$s" && command -v "$n" >/dev/null 2>&1; then "$n" "$s" merge-driver ${PLACES};`,
    `elif command -v cairn >/dev/null 2>&1; then cairn merge-driver ${PLACES};`,
    `else echo "cairn is not there" >&2; false; fi;`,
    `r=$?; case $r in ${Object.values(DRIVER_EXIT).join('|')}) exit $r;; esac;`,
    `echo "cairn did not merge "%P", git merges it as text" >&2; ${asText}`,
  ].join(' ')
}

/** For sh, which git uses on Windows too. */
function quoted(path: string): string {
  return `'${path.replaceAll('\\', '/').replaceAll('%', '%%').replaceAll("'", "'\\''")}'`
}
