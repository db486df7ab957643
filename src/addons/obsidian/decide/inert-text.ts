/** Nobody sees it, no line is broken at it, and `trim` of no program takes it away. */
const BREAK = '\u2060'

interface ActiveMark {
  /** What stands before the break, and then as many breaks as the text has there already. */
  readonly before: RegExp
  /** Whether what follows makes it active; absent: always. */
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

/** The text of an entry as it may stand in a note: no plugin that is known runs anything of it. */
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

/** What a note says. A person's own code, which has no break, says what it says. */
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

/** Languages that are shown and never run: all others may be a plugin's own, and there are more of those than anybody knows. */
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
