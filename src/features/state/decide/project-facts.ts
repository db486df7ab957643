import type { ProjectFacts } from '../../../kernel/model/bundle.ts'
import { plainStatement } from '../../../kernel/text/plain-statement.ts'
import { MAP_LIMITS } from './project-map.ts'

const READ_CHARACTERS = 20_000
/** Shorter is a badge or a greeting, not what the project is. */
const MIN_LENGTH = 12

/** The name from the repository, and what it is: in `_project.md`, in the README, or in the manifest, in this order. */
export function factsOf(
  facts: ProjectFacts,
  {
    projectText,
    readme,
    clean,
  }: {
    readonly projectText: string | undefined
    readonly readme: string | undefined
    readonly clean: (text: string) => string
  },
): ProjectFacts {
  const told = firstParagraph(projectText ?? '') ?? firstParagraph(readme ?? '')
  const description = plainStatement(clean(told ?? facts.description ?? ''), MAP_LIMITS.descriptionCharacters)
  return {
    name: plainStatement(clean(facts.name), MAP_LIMITS.nameCharacters) || 'project',
    ...(description !== '' && { description }),
  }
}

/** The first prose of a Markdown file: no front matter, heading, badge, picture, list, table, code or comment. */
export function firstParagraph(markdown: string): string | undefined {
  const text = markdown
    .slice(0, READ_CHARACTERS)
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^---\n[\s\S]*?\n---\s*(?:\n|$)/, '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '')
  for (const block of text.split(/\n[ \t]*\n/)) {
    const lines = block.split('\n').filter(line => !NO_PROSE.test(line))
    const prose = withoutMarks(lines.join(' ')).trim()
    if (prose.length >= MIN_LENGTH && /\p{L}{2,}\s+\S/u.test(prose)) return prose
  }
  return undefined
}

const NO_PROSE = /^\s*(?:#|[-=*_]{3,}\s*$|[-*+]\s|\d+[.)]\s|\||>|<\/?\w|!\[|\[!\[|\[[^\]]+\]:|={2,}\s*$)/

/** Links and emphasis as they are read; an underscore inside a name stays. */
function withoutMarks(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/g, '$1')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/\s+/g, ' ')
}
