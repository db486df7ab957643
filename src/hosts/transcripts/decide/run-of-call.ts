import type { ToolRun } from '../../../kernel/model/message.ts'
import { isRecord, partsOf, recordOf, stringOf } from './transcript-reader.ts'

export interface Call {
  readonly tool: string
  readonly input: unknown
}

export interface Result {
  readonly output?: string | undefined
  readonly ok?: boolean | undefined
  readonly exitCode?: number | undefined
}

const EDITS =
  /^(?:edit|multi_?edit|write|write_file|notebook_?edit|replace|create|str_replace(?:_editor)?|apply_patch|patch|edit_file|search_replace|insert|delete_file|replace_in_file|write_to_file|create_file)$/i
const PATHS = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'target_file', 'path', 'file']
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.{1,500})$/gm
/** Only the end of an output: more is not stored anyway (capture-message.ts). */
const OUTPUT_CHARACTERS = 16_000
const MAX_FILES = 50

/** One run from the call of a tool and its result; without a result the outcome is unknown. */
export function runOfCall({ tool, input }: Call, { output, ok, exitCode }: Result = {}): ToolRun {
  const given = typeof input === 'string' ? (parsedRecord(input) ?? { patch: input }) : recordOf(input)
  const command = commandOf(given)
  const isEdit = EDITS.test(tool.replace(/^functions\./, ''))
  const files = filesOf(given, isEdit)
  const isOk = ok ?? (exitCode === undefined ? undefined : exitCode === 0)
  return {
    tool,
    ...(command !== undefined && { command }),
    ...(isOk !== undefined && { ok: isOk }),
    ...(exitCode !== undefined && { exitCode }),
    ...(output !== undefined && output.trim() !== '' && { output: output.slice(-OUTPUT_CHARACTERS) }),
    ...(files.length > 0 && { files }),
    ...(isEdit && { isEdit: true }),
  }
}

function commandOf(given: Record<string, unknown>): string | undefined {
  const command = given.command ?? given.cmd ?? given.script
  if (typeof command === 'string') return stringOf(command)
  if (!Array.isArray(command) || !command.every(word => typeof word === 'string')) return undefined
  return commandOfWords(command)
}

/** `["/bin/bash", "-lc", "npm test"]` is `npm test`. */
function commandOfWords(words: readonly string[]): string | undefined {
  const [shell = '', flag = '', script] = words
  if (script !== undefined && /(?:^|[/\\])(?:ba|z|da)?sh(?:\.exe)?$/.test(shell) && /^-[a-z]*c$/.test(flag))
    return stringOf(script)
  return stringOf(words.join(' '))
}

function filesOf(given: Record<string, unknown>, isEdit: boolean): string[] {
  const named = PATHS.flatMap(name => stringOf(given[name]) ?? [])
  const inEdits = partsOf(given.edits).flatMap(edit => PATHS.flatMap(name => stringOf(edit[name]) ?? []))
  const patch = [given.patch, given.input, given.patchText].find(text => typeof text === 'string')
  const patched =
    isEdit && typeof patch === 'string' ? [...patch.matchAll(PATCHED)].flatMap(([, file]) => file ?? []) : []
  return [...new Set([...named, ...inEdits, ...patched])].slice(0, MAX_FILES)
}

function parsedRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The result of a tool: a text, or parts of which some are text. */
export function outputOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  if (isRecord(content)) return outputOf(content.output ?? content.content ?? content.text)
  if (!Array.isArray(content)) return undefined
  return content.flatMap(part => (typeof part === 'string' ? part : (outputOf(part) ?? []))).join('\n')
}

/** Calls that wait for a result. A host that never writes one must not fill the memory. */
export function pendingCalls() {
  const calls = new Map<string, Call>()
  return {
    add(id: unknown, call: Call): void {
      if (typeof id !== 'string') return
      if (calls.size >= MAX_PENDING) calls.delete(calls.keys().next().value as string)
      calls.set(id, call)
    },
    take(id: unknown): Call | undefined {
      if (typeof id !== 'string') return undefined
      const call = calls.get(id)
      calls.delete(id)
      return call
    },
    find: (id: unknown): Call | undefined => (typeof id === 'string' ? calls.get(id) : undefined),
  }
}
const MAX_PENDING = 1_000
