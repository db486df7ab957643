import { createHash } from 'node:crypto'
import type { SourceUse } from '../addons/import/decide/ports.ts'
import { CairnError } from '../kernel/model/errors.ts'
import { type ImportSource, sourceTerms } from '../kernel/model/import-source.ts'
import type { AllowanceFile } from '../stores/files/allowance-file.ts'

/**
 * sources.json should stay on one machine, but can come with a clone, and names files anywhere. None of them is read before the user of
 * this machine added that source, or saw and allowed it. The consent is stored outside the project.
 */
export function composeImportSources(parts: {
  readonly allowances: AllowanceFile
  readonly now: () => string
}): SourceUse {
  const { allowances } = parts
  const allowed = (): ReadonlySet<string> => {
    const found = allowances.find()
    return new Set(found.kind === 'allowed' ? termsIn(found.terms) : [])
  }
  const keep = (terms: ReadonlySet<string>) => {
    if (terms.size > 0) allowances.put(JSON.stringify([...terms].sort()), parts.now())
    else allowances.remove()
  }
  return {
    async allowed(sources) {
      const terms = allowed()
      return new Set(sources.filter(source => terms.has(sourceTerms(source))).map(({ id }) => id))
    },
    async codeOf(sources) {
      return codeOf(sources)
    },
    async allow(sources, code) {
      if (code !== codeOf(sources)) throw otherSources(code)
      keep(new Set([...allowed(), ...sources.map(sourceTerms)]))
    },
    async trust(source) {
      keep(new Set([...allowed(), sourceTerms(source)]))
    },
    async forget(source) {
      const terms = new Set(allowed())
      if (terms.delete(sourceTerms(source))) keep(terms)
    },
  }
}

/** The user types it to allow what was shown, and nothing that changed since. */
function codeOf(sources: readonly ImportSource[]): string {
  const text = sources.map(sourceTerms).sort().join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}

function termsIn(stored: string): string[] {
  try {
    const list: unknown = JSON.parse(stored)
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function otherSources(code: string): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `${JSON.stringify(code.slice(0, 20))} is not the code of the sources as they are now.`,
    hint: '`cairn source allow` shows them, with their code.',
  })
}
