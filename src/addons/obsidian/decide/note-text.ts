import { type Category, isCategory } from '../../../kernel/model/category.ts'
import { type Entry, STATUSES, type Status } from '../../../kernel/model/entry.ts'
import { extractTags } from '../../../kernel/text/tags.ts'
import {
  type FrontMatterFields,
  readPlainFields,
  splitFrontMatter,
  type YamlValue,
} from '../../workspaces/decide/front-matter.ts'
import {
  lineEndOf,
  type PropertyValue,
  renderFrontMatter,
  setFields,
} from '../../workspaces/decide/front-matter-edit.ts'
import { readYamlFields } from '../../workspaces/decide/yaml-front-matter.ts'
import { entryTags, FACT_NAMES, type FactName, type Facts, factsOf, obsidianTag } from './note-facts.ts'
import { aliasOf, type NoteNames, withEntryLinks, withNoteLinks } from './note-name.ts'

/** The property with the id of the note's entry. */
const ID_PROPERTY = 'cairn'
/** The property that marks the other version of a note that was changed on both sides: the id of its entry. */
const CONFLICT_PROPERTY = 'cairn-conflict'

type ReadNote =
  | {
      readonly kind: 'read'
      readonly id?: string
      readonly conflictOf?: string
      /** The facts in its properties; a missing property is undefined. */
      readonly said: Partial<Omit<Facts, 'content'>>
      /** The text below the properties, without the breaks of `inertText`. */
      readonly body: string
      readonly date?: string
      readonly aliases: readonly string[]
      /** Properties of ours with an invalid value. */
      readonly invalid: readonly string[]
    }
  /** The front matter cannot be parsed; the id is guessed from its line. */
  | { readonly kind: 'broken'; readonly line: number; readonly why: string; readonly id?: string }

export type Readable = Extract<ReadNote, { kind: 'read' }>

const ID_LINE = /^cairn:[ \t]*["']?([^\s"']{1,100})/m
const BEGINNING = 8_192

export function readNote(text: string): ReadNote {
  const split = splitFrontMatter(text)
  const idLine = () => {
    const id = ID_LINE.exec(text.slice(0, BEGINNING))?.[1]
    return id === undefined ? {} : { id }
  }
  if (split.kind === 'open')
    return { kind: 'broken', line: 1, why: 'its properties have no end', ...idLine() }
  if (split.kind === 'none')
    return {
      kind: 'read',
      said: {},
      body: textOfInert(text.replace(/^\ufeff/, '')),
      aliases: [],
      invalid: [],
    }
  const body = textOfInert(text.slice(split.bodyStart))
  const plain = readPlainFields(split.yaml)
  if (plain !== undefined) return withProperties(plain, body)
  const read = readYamlFields(split.yaml)
  if (read.kind === 'damaged') return { kind: 'broken', line: read.line, why: read.why, ...idLine() }
  return withProperties(read.fields, body)
}

function withProperties(fields: FrontMatterFields, body: string): Readable {
  const propertyNamed = (name: string) => fields.get(name)?.value
  const invalid: string[] = []
  const taken = <T>(name: string, read: (value: YamlValue) => T | undefined): T | undefined => {
    const value = propertyNamed(name)
    if (value === undefined) return undefined
    const result = read(value)
    if (result === undefined) invalid.push(name)
    return result
  }
  const said = {
    agent: taken('agent', textIn),
    category: taken('category', value => asCategory(textIn(value))),
    kind: taken('kind', textIn),
    status: taken('status', value => STATUSES.find(status => status === textIn(value)) as Status | undefined),
    importance: taken('importance', shareIn),
    tags: taken('tags', wordsIn)?.map(tag => tag.replace(/^#+/, '')),
    files: taken('files', wordsIn),
  }
  const id = textIn(propertyNamed(ID_PROPERTY) ?? null)
  const conflictOf = textIn(propertyNamed(CONFLICT_PROPERTY) ?? null)
  const date = textIn(propertyNamed('date') ?? propertyNamed('created') ?? null)
  return {
    kind: 'read',
    ...(id !== undefined && { id }),
    ...(conflictOf !== undefined && { conflictOf }),
    ...(date !== undefined && { date }),
    said: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    body,
    aliases: wordsIn(propertyNamed('aliases') ?? null) ?? [],
    invalid,
  }
}

function textIn(value: YamlValue): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? textOfInert(value.trim()) : undefined
}

/** An empty property is an empty list: Obsidian writes it after the last item was removed. */
function wordsIn(value: YamlValue): string[] | undefined {
  if (value === null || value === '') return []
  const items = Array.isArray(value) ? (value as readonly YamlValue[]) : [value]
  const words = items.map(textIn)
  return words.every(word => word !== undefined) ? words : undefined
}

function shareIn(value: YamlValue): number | undefined {
  const share = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof share === 'number' && share >= 0 && share <= 1 ? share : undefined
}

function asCategory(text: string | undefined): Category | undefined {
  return text !== undefined && isCategory(text) ? text : undefined
}

/** The facts of the note; a fact that the note does not state is taken from the entry. */
export function factsOfNote(note: Readable, known: Facts, names: NoteNames): Facts {
  const content = withEntryLinks(note.body, names)
  const inText = new Set(extractTags(content))
  const tags = note.said.tags === undefined ? known.tags : entryTags(note.said.tags, known.tags)
  return { ...known, ...note.said, content, tags: tags.filter(tag => tag !== '' && !inText.has(tag)) }
}

/** Whether the note itself states this fact. */
export function statesFact(note: Readable, name: FactName): boolean {
  return name === 'content' || note.said[name] !== undefined
}

/** Renders a new note: the properties, then the content with its links translated and plugin code disabled. */
export function renderNote(entry: Entry, names: NoteNames): string {
  const body = inertText(withNoteLinks(entry.content, names))
  const fields = { [ID_PROPERTY]: entry.id, ...propertiesOf(entry, FACT_NAMES), ...momentsOf(entry) }
  const alias = aliasOf(entry.content)
  const all = { ...fields, ...(alias !== '' && { aliases: [alias] }) }
  return `${renderFrontMatter(inertFields(all))}${body}${body.endsWith('\n') ? '' : '\n'}`
}

function propertiesOf(entry: Entry, names: readonly FactName[]): Record<string, PropertyValue> {
  const facts = factsOf(entry)
  const fields: Record<string, PropertyValue> = {}
  for (const name of names) {
    if (name === 'content') continue
    else if (name === 'tags') fields.tags = [...new Set(facts.tags.map(obsidianTag))]
    else fields[name] = facts[name]
  }
  return fields
}

/** Templater also runs code in properties. */
function inertFields(fields: Readonly<Record<string, PropertyValue>>): Record<string, PropertyValue> {
  const inert = (value: PropertyValue): PropertyValue => {
    if (typeof value === 'number') return value
    return typeof value === 'string' ? inertText(value) : value.map(inertText)
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, inert(value)]))
}

function momentsOf({ date, updated }: Entry): Record<string, PropertyValue> {
  return { date: `${date}:00`, ...(updated !== undefined && { updated }) }
}

type Rewritten =
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string }

/** Writes these facts into the note. Every other byte stays: other properties, their order, comments, line ends. */
export function rewriteNote(
  { text, note }: { readonly text: string; readonly note: Readable },
  entry: Entry,
  { names, set }: { readonly names: NoteNames; readonly set: readonly FactName[] },
): Rewritten {
  const fields: Record<string, PropertyValue> = {
    ...(note.id !== entry.id && { [ID_PROPERTY]: entry.id }),
    ...propertiesOf(entry, set),
    ...(set.length > 0 && entry.updated !== undefined && { updated: entry.updated }),
  }
  const alias = aliasOf(entry.content)
  if (set.includes('content') && alias !== '' && !note.aliases.includes(alias))
    fields.aliases = [alias, ...note.aliases].slice(0, MAX_ALIASES)
  const edited = setFields(text, inertFields(fields))
  if (edited.kind === 'refused') return { kind: 'refused', why: edited.why }
  if (!set.includes('content')) return edited
  return { kind: 'edited', text: withBody(edited.text, inertText(withNoteLinks(entry.content, names))) }
}

const MAX_ALIASES = 10

/** Uses the file's line ends, and the blank lines that were around the text. */
function withBody(text: string, content: string): string {
  const split = splitFrontMatter(text)
  const start = split.kind === 'found' ? split.bodyStart : 0
  const body = text.slice(start)
  const before = /^(?:[ \t]*\r?\n)+/.exec(body)?.[0] ?? ''
  const behind = /\s*$/.exec(body.slice(before.length))?.[0] ?? ''
  const lineEnd = lineEndOf(text)
  const fresh = lineEnd === '\r\n' ? content.replace(/\r?\n/g, '\r\n') : content
  return `${text.slice(0, start)}${before}${fresh.replace(/\s+$/, '')}${behind === '' ? lineEnd : behind}`
}

/** The other version of a note, stored next to it. Removing the property makes it an entry of its own. */
export function conflictText(text: string, id: string): string {
  const marked = setFields(text, { [ID_PROPERTY]: '', [CONFLICT_PROPERTY]: id })
  // Text that cannot be edited is stored whole, below properties of its own.
  return marked.kind === 'edited' ? marked.text : `${renderFrontMatter({ [CONFLICT_PROPERTY]: id })}${text}`
}

/** Invisible, does not break lines, and no `trim` removes it. */
const BREAK = '\u2060'

interface ActiveMark {
  /** The text before the break, and all breaks that the text has there already. */
  readonly before: RegExp
  /** Whether the text after it makes it active; absent: always. */
  readonly isActive?: (rest: string) => boolean
}

/**
 * Where plugins of Obsidian begin to run what stands in a note:
 *
 *   <% … %>            Templater, on every new file where its owner wants that
 *   `$= …`             Dataview, inline
 *   ```dataviewjs      Dataview, and every other language that a plugin may have claimed
 *
 * Each is broken by one invisible character. A text that has such characters there already gets one more, so taking one away gives back
 * exactly what was there.
 */
const MARKS: readonly ActiveMark[] = [
  { before: /<(\u2060*)(?=%)/g },
  { before: /`\s*(\u2060*)(?=\$=)/g },
  {
    before: /(?:(?<!`)`{3,}(?!`)|(?<!~)~{3,}(?!~))[^\S\r\n]*(\u2060*)(?=([^\s\u2060]\S{0,23}))/g,
    isActive: isNoPlainLanguage,
  },
]

/** Makes the text of an entry safe in a note: no known plugin runs anything in it. */
export function inertText(text: string): string {
  let inert = text
  for (const { before, isActive } of MARKS)
    inert = inert.replace(before, (found: string, breaks: string, rest: unknown) =>
      isActive?.(String(rest)) === false
        ? found
        : `${found.slice(0, found.length - breaks.length)}${BREAK}${breaks}`,
    )
  return inert
}

/** The text without the breaks. Code that a person wrote has no break and stays unchanged. */
export function textOfInert(inert: string): string {
  // Most notes have none.
  if (!inert.includes(BREAK)) return inert
  let text = inert
  for (const { before, isActive } of [...MARKS].reverse())
    text = text.replace(before, (found: string, breaks: string, rest: unknown) =>
      breaks === '' || isActive?.(String(rest)) === false ? found : found.slice(0, -1),
    )
  return text
}

/** Languages that are displayed and never run. Any other language may belong to a plugin. */
const PLAIN_LANGUAGES: ReadonlySet<string> = new Set(
  `apache asm awk bash bat batch bicep c c# c++ cjs clj clojure cmake cmd cobol coffee conf config cpp crystal cs csharp css csv cts cue cypher d dart
  diff docker dockerfile dotenv ebnf editorconfig ejs elixir elm env erb erlang ex f# fish fortran fs fsharp gherkin git gitignore glsl go
  golang gradle graphql groovy h haml handlebars haskell hbs hcl hlsl hpp hs html http ignore ini java javascript jinja jinja2 jl js json json5 jsonc
  jsonl jsx julia kotlin ks kt kts latex less lisp log lua m make makefile markdown matlab md mdx mermaid mjs mts nginx nim nix
  objc objective-c objectivec ocaml output patch perl php pl plain plaintext postgres postgresql powershell prisma prolog properties
  proto protobuf ps1 puppet pwsh py python python3 r racket rb rego regex ron rs rst ruby rust sass scala scheme scss sh shell
  shell-session shellsession solidity sparql sql sqlite starlark svelte swift systemd tcl terminal terraform tex text tf toml
  ts tsx txt typescript vb vim viml vue wasm wat wgsl xml yaml yml zig zsh`.split(/\s+/),
)

function isNoPlainLanguage(rest: string): boolean {
  return !PLAIN_LANGUAGES.has(rest.toLowerCase())
}
