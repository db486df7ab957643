import type { Memory } from '../../kernel/memory.ts'
import type { Bundle, ProjectState } from '../../kernel/model/bundle.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { bundleHashOf } from '../../kernel/system/digest.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { neutralise } from '../brief/decide/fence.ts'
import { cleanBundle } from './decide/clean-bundle.ts'
import type { StatePorts } from './decide/ports.ts'

/** The state without secrets and instructions: safe for a file of the project, an answer or a prompt. */
type SafeState =
  | {
      readonly kind: 'read'
      readonly bundle: Bundle
      readonly bundleHash: string
      readonly state: ProjectState
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly problem: Problem }

export type ReadState = Extract<SafeState, { readonly kind: 'read' }>

export async function readSafeState(memory: Memory & StatePorts): Promise<SafeState> {
  const reading = await memory.state.read()
  switch (reading.kind) {
    case 'none':
      return { kind: 'none' }
    case 'damaged':
      return { kind: 'unusable', problem: reading.problem }
    case 'newer':
      return {
        kind: 'unusable',
        problem: {
          code: 'vault_newer',
          path: 'state.json',
          message: `.memory/state.json has version ${reading.version}: a newer Cairn wrote it.`,
          hint: 'Update Cairn.',
        },
      }
    case 'read': {
      const { state } = reading
      // The bundle counts, also if it was edited by hand and its hash was not.
      return {
        kind: 'read',
        bundle: await safeBundle(memory, state.bundle),
        bundleHash: bundleHashOf(state.bundle),
        state,
      }
    }
  }
}

/** Throws `state_not_found`, or the problem of the state. */
export async function requireState(memory: Memory & StatePorts): Promise<ReadState> {
  const safe = await readSafeState(memory)
  if (safe.kind === 'read') return safe
  if (safe.kind === 'none') {
    throw new CairnError({
      code: 'state_not_found',
      message: 'There is no state of the project yet.',
      hint: '`cairn recall` makes one from events and entries.',
    })
  }
  const { problem } = safe
  throw new CairnError({
    code: problem.code === 'vault_newer' ? 'vault_newer' : 'document_damaged',
    message: problem.message,
    hint: problem.hint,
  })
}

/** Removes secrets and text that looks like instructions of the system. Checkpoints repeat each other: a text is cleaned once. */
export async function textSafety(memory: Memory): Promise<(text: string) => string> {
  const options = redactionOptions(await memory.config())
  const known = new Map<string, string>()
  return text => {
    const clean = known.get(text) ?? neutralise(redact(text, options).text)
    known.set(text, clean)
    return clean
  }
}

export async function safeBundle(
  memory: Memory,
  bundle: Bundle,
  safety?: (text: string) => string,
): Promise<Bundle> {
  const clean = cleanBundle(bundle, safety ?? (await textSafety(memory)))
  if (!(await memory.config())['redaction.secondNet']) return clean
  const texts = new Set<string>()
  cleanBundle(clean, text => {
    texts.add(text)
    return text
  })
  const { redacted } = await memory.secondNet([...texts].join('\n\n'))
  if (redacted.length === 0) return clean
  const cleaner = new Map<string, string>()
  for (const text of texts) cleaner.set(text, (await memory.secondNet(text)).text)
  return cleanBundle(clean, text => cleaner.get(text) ?? '')
}
