/** What git's shell runs. `%O %A %B %L %P` are put in by git, quoted; a `%` of ours is written twice. */
const PLACES = '%O %A %B %L %P %X %Y'

/**
 * The program as it was when it was installed; if that has gone (an npx cache that was cleared, another Node), a `cairn` on the
 * path; and without any, git's own merge of text. A command that cannot be run would leave our side alone in the file.
 */
export function driverCommand({ node, script }: { readonly node: string; readonly script: string }): string {
  const asText = 'git merge-file -L ours -L base -L theirs --marker-size=%L %A %O %B'
  return [
    `n=${quoted(node)}; s=${quoted(script)}; test -x "$n" || n=node;`,
    `if test -f "$s" && command -v "$n" >/dev/null 2>&1; then "$n" "$s" merge-driver ${PLACES};`,
    `elif command -v cairn >/dev/null 2>&1; then cairn merge-driver ${PLACES};`,
    `else echo "cairn is not there: merged as text" >&2; ${asText}; fi`,
  ].join(' ')
}

/** For sh, which git uses on Windows too. */
function quoted(path: string): string {
  return `'${path.replaceAll('\\', '/').replaceAll('%', '%%').replaceAll("'", "'\\''")}'`
}
