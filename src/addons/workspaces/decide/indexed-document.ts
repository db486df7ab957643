import type { Category } from '../../../kernel/model/category.ts'
import { DEFAULT_IMPORTANCE, type Entry } from '../../../kernel/model/entry.ts'
import { type DocumentKind, scopeName, type WorkspaceDocument } from '../../../kernel/model/workspace.ts'
import { analyseEntry } from '../../../kernel/text/analyse.ts'
import { mergeTags } from '../../../kernel/text/tags.ts'
import type { IndexedDocument } from './document-index.ts'

/** The agent name of documents in entry form. No vault contains documents. */
const DOCUMENT_AGENT = 'workspace'

/** The maximum length of one document in characters. The rest of a longer one is in its file but is not searchable. */
export const MAX_INDEXED_CHARACTERS = 32_768

const LOOKS_LIKE: Readonly<Record<DocumentKind, Category>> = {
  plan: 'projects',
  overview: 'projects',
  decision: 'decisions',
  lesson: 'lessons',
  feature: 'projects',
  spike: 'projects',
  architecture: 'projects',
}

/** A document is searchable by title, text, tags, kind, category, status and date. Its path and scope are returned but not searched. */
export function indexedDocument(document: WorkspaceDocument, print: string): IndexedDocument {
  const { id, kind, title, text, category, status, date = '' } = document
  const tags = mergeTags(document.tags)
  // An overview without a title gets the name of its scope, which is not text.
  const isTitled = title !== scopeName(document.scope) && !text.trimStart().startsWith(title)
  const whole = isTitled ? `${title}\n\n${text}`.trim() : text.trim()
  const isCut = whole.length > MAX_INDEXED_CHARACTERS
  const content = isCut ? whole.slice(0, MAX_INDEXED_CHARACTERS).replace(/[\ud800-\udbff]$/, '') : whole
  const entry: Entry = {
    id,
    agent: DOCUMENT_AGENT,
    category: LOOKS_LIKE[kind],
    kind,
    status: 'confirmed',
    origin: 'person',
    date,
    content,
    tags,
    files: [],
    importance: DEFAULT_IMPORTANCE,
  }
  const said = [kind, category, status].filter(word => word !== undefined).join(' ')
  return {
    document,
    entry,
    text: analyseEntry({ content, tags, files: [], kind: said, date }),
    print,
    isCut,
  }
}
