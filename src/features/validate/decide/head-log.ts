/**
 * How many commits `.git/logs/HEAD` tells of since a moment: a line for each time that HEAD moved, with its time and why.
 *
 *   <old> <new> Name <mail> 1773679871 +0100<tab>commit: Rotate the key
 *
 * Commits, merges and what came with a pull count; a checkout of another branch does not.
 */
export function commitsSince(log: string, sinceMs: number): number {
  let commits = 0
  for (const line of log.split('\n')) {
    const match = /> (\d{1,12}) [+-]\d{4}\t(?:commit|merge|pull|cherry-pick|revert|am)\b/.exec(line)
    if (match !== null && Number(match[1]) * 1000 > sinceMs) commits++
  }
  return commits
}
