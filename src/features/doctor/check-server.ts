import { get } from 'node:http'
import * as v from 'valibot'
import { privateDisk } from '../../kernel/system/disk.ts'
import { addressOf, projectHash, type UpMark, upMarkState } from '../../kernel/system/up-marks.ts'
import type { DoctorCheck } from './check.ts'

const NAME = 'page'
const ASK_MS = 2_000
/** Whoever sits there may send anything. */
const MAX_CHARACTERS = 10_000

/** The `cairn up` of a project: whether its mark is true, and whether it is this Cairn. Nothing where none was started. */
export async function checkServer(
  root: string,
  { fix, version }: { readonly fix: boolean; readonly version: string },
): Promise<DoctorCheck[]> {
  const state = upMarkState(root)
  if (state.kind === 'none') return []
  if (state.kind === 'stale') {
    if (fix) privateDisk.remove(state.file)
    return [
      fix
        ? { name: NAME, result: 'fixed', message: 'the mark of a `cairn up` that is gone was removed' }
        : {
            name: NAME,
            result: 'warning',
            message: 'a `cairn up` was killed, or its mark is damaged; nobody serves the page',
            hint: '`cairn up` starts it again; `cairn doctor --fix` only removes the mark.',
          },
    ]
  }
  return [judge(state.mark, await whoAnswers(state.mark), { root, version })]
}

function judge(
  mark: UpMark,
  answered: Answer,
  { root, version }: { readonly root: string; readonly version: string },
): DoctorCheck {
  const place = `${addressOf(mark)} (process ${mark.pid}, since ${mark.startedAt.slice(0, 16)})`
  const isOther = answered.kind === 'told' && answered.project !== projectHash(root)
  if (answered.kind === 'nobody' || isOther)
    return {
      name: NAME,
      result: 'warning',
      message: `the page should be at ${place}, and ${isOther ? 'another one' : 'nobody'} answers there`,
      hint: `End process ${mark.pid} if it is a \`cairn up\` that hangs; then \`cairn up\` starts another.`,
    }
  const its = answered.kind === 'told' ? answered.version : mark.version
  if (its !== version)
    return {
      name: NAME,
      result: 'warning',
      message: `Cairn ${its} serves the page at ${place}; this is ${version}`,
      hint: `End it (Ctrl+C where it runs, or process ${mark.pid}), then \`cairn up\` starts this one.`,
    }
  return { name: NAME, result: 'ok', message: `the page is at ${place}` }
}

type Answer =
  | { readonly kind: 'told'; readonly project: string; readonly version: string }
  /** It is one of ours, and tells nothing without the token, which nobody is handed who only sits on the port. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'nobody' }

const TOLD = v.object({ app: v.literal('cairn'), project: v.string(), version: v.string() })
const REFUSED = v.object({ code: v.picklist(['token_missing', 'request_refused', 'too_many_requests']) })

async function whoAnswers(mark: UpMark): Promise<Answer> {
  const text = await answerAt(`${addressOf(mark)}api/server`)
  const json = v.pipe(v.string(), v.parseJson())
  const told = v.safeParse(v.pipe(json, TOLD), text)
  if (told.success) return { kind: 'told', project: told.output.project, version: told.output.version }
  return { kind: v.is(v.pipe(json, REFUSED), text) ? 'silent' : 'nobody' }
}

/** undefined: nobody is there, or nobody who answers in time. */
function answerAt(address: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const nothing = () => resolve(undefined)
    const asked = get(address, { signal: AbortSignal.timeout(ASK_MS), agent: false }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', piece => {
        text += piece
        if (text.length > MAX_CHARACTERS) response.destroy()
      })
      response.on('end', () => resolve(text))
      response.on('error', nothing)
      response.on('close', nothing)
    })
    asked.on('error', nothing)
  })
}
