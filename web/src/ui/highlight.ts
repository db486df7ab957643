import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

/** A part of code: plain text, or parts with a scope. */
export type CodePiece =
  | string
  | { readonly scope: string | undefined; readonly children: readonly CodePiece[] }

const LANGUAGES = {
  bash,
  c,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Splits code into parts with scopes, never into HTML. `undefined` for an unknown language. */
export function highlight(code: string, language: string): readonly CodePiece[] | undefined {
  if (hljs.getLanguage(language) === undefined) return undefined
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true })
  return (_emitter as unknown as { readonly rootNode: { readonly children: readonly CodePiece[] } }).rootNode
    .children
}
