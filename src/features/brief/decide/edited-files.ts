const MAX_FILES = 5

/** The files that these messages record as edited, newest first. Messages that are not tool runs are skipped. */
export function editedIn(messages: readonly object[]): string[] {
  const files = new Set<string>()
  for (let at = messages.length - 1; at >= 0 && files.size < MAX_FILES; at--) {
    const { run } = messages[at] as { run?: { isEdit?: unknown; files?: unknown } }
    if (run?.isEdit !== true || !Array.isArray(run.files)) continue
    for (const file of run.files) if (typeof file === 'string' && files.size < MAX_FILES) files.add(file)
  }
  return [...files]
}
