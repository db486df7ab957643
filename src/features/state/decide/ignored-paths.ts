/**
 * What a `.gitignore` at the root leaves out, as far as a walk needs it: plain names, folders, endings and paths. A pattern of
 * another form, and whatever a `!` could bring back, is looked at: a map that tells too much is better than one that hides.
 *
 *   node_modules   data/   /tmp   *.log   src/generated/
 */
export function ignoredPaths(gitignore: string): (path: string) => boolean {
  const names = new Set<string>()
  const rooted = new Set<string>()
  const endings = new Set<string>()
  const lines = gitignore.slice(0, READ_CHARACTERS).split(/\r?\n/).slice(0, MAX_LINES)
  const broughtBack = lines.filter(line => line.startsWith('!')).map(line => line.slice(1).trim())
  for (const line of lines) {
    const pattern = line.trim()
    if (pattern === '' || /^[#!]/.test(pattern)) continue
    const bare = pattern.replace(/^\//, '').replace(/\/(?:\*{1,2})?$/, '')
    if (bare === '' || broughtBack.some(back => back.includes(bare.replace(/^\*/, '')))) continue
    if (/^\*\.[\w.-]+$/.test(bare)) endings.add(bare.slice(1))
    else if (/[*?[\\]/.test(bare)) continue
    else if (pattern.startsWith('/') || bare.includes('/')) rooted.add(bare)
    else names.add(bare)
  }
  return path => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const dot = name.indexOf('.')
    return names.has(name) || rooted.has(path) || (dot >= 0 && endsWithOne(name, endings))
  }
}

const READ_CHARACTERS = 100_000
const MAX_LINES = 2_000

function endsWithOne(name: string, endings: ReadonlySet<string>): boolean {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
    if (endings.has(name.slice(dot))) return true
  return false
}
