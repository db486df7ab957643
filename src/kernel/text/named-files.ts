/** Longer prompts are logs; their important parts are at the start and the end. */
const READ_CHARACTERS = 20_000
const MAX_FILES = 20
const MAX_PATH_LENGTH = 300
/** Split, not searched: a pattern for paths takes forever on a line of one word. */
const BETWEEN_PATHS = /[^\w@.~/\\-]+/

/**
 * The files that a prompt names, in order and once each.
 *
 * "why does src/auth/token.ts:42 throw?"  →  src/auth/token.ts
 */
export function namedFiles(prompt: string): string[] {
  const found = new Set<string>()
  for (const piece of prompt.slice(0, READ_CHARACTERS).split(BETWEEN_PATHS)) {
    const path = piece.replace(/^\.[/\\]|[.]+$/g, '')
    const dot = path.lastIndexOf('.')
    if (path.length > MAX_PATH_LENGTH || dot < 1 || path.charAt(dot - 1) === '/') continue
    if (!KNOWN_EXTENSIONS.has(path.slice(dot + 1).toLowerCase())) continue
    found.add(path.replaceAll('\\', '/'))
    if (found.size >= MAX_FILES) break
  }
  return [...found]
}

const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set(
  'ts tsx js jsx mjs cjs mts cts json jsonc md mdx py pyi rs go java kt kts swift c h cc cpp hpp cs rb php sql sh bash zsh fish ps1 yaml yml toml ini cfg conf env lock gradle xml html css scss sass less vue svelte astro proto graphql tf hcl dockerfile ex exs erl clj scala dart lua pl r jl nix zig'.split(
    ' ',
  ),
)

const MAX_PATHS = 10
/** Not the project's own files: dependencies, build output, system files. */
const NOT_OURS =
  /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|dist-packages|\.cargo|\.rustup|vendor\/bundle|target|dist|build|coverage|__pycache__|\.git|\.memory)\/|^(?:\/|~|[A-Za-z]:\/|https?)|^\w+\.(?:com|org|io|dev|net)\b|^(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml)$/

/** Files of the project that these texts and lists name: the lists first, each file once. */
export function keyPathsOf(files: readonly string[], text = ''): string[] {
  const all = [...files.map(file => file.replaceAll('\\', '/').replace(/^\.\//, '')), ...namedFiles(text)]
  return [...new Set(all)]
    .filter(file => file !== '' && file.length <= 300 && !NOT_OURS.test(file))
    .slice(0, MAX_PATHS)
}
