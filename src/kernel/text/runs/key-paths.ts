import { namedFiles } from '../named-files.ts'

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
