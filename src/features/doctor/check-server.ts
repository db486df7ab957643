import { get } from 'node:http'
import * as v from 'valibot'
import { privateDisk } from '../../kernel/system/disk.ts'
import { addressOf, projectHash, type UpMark, upMarkState } from '../../kernel/system/up-marks.ts'
import type { DoctorCheck } from './check.ts'

const NAME = 'page'
const ASK_MS = 2_000
/** Another program on the port may send anything. */
const MAX_CHARACTERS = 10_000

/** Checks the `cairn up` of a project: whether it runs, and in this version. No result if it was never started. */
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
        ? { name: NAME, result: 'fixed', message: 'the mark of a stopped `cairn up` was removed' }
        : {
            name: NAME,
            result: 'warning',
            message: 'a `cairn up` was killed, or its mark is damaged. The page is not being served',
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
  const isOther = answered.kind === 'cairn' && answered.project !== projectHash(root)
  if (answered.kind === 'no_answer' || isOther)
    return {
      name: NAME,
      result: 'warning',
      message: `the page should be at ${place}, but ${isOther ? 'another program answers' : 'there is no answer'}`,
      hint: `End process ${mark.pid} if it is a hanging \`cairn up\`, then run \`cairn up\` again.`,
    }
  const its = answered.kind === 'cairn' ? answered.version : mark.version
  if (its !== version)
    return {
      name: NAME,
      result: 'warning',
      message: `Cairn ${its} serves the page at ${place}, but this is ${version}`,
      hint: `End it (Ctrl+C in its terminal, or process ${mark.pid}), then run \`cairn up\`.`,
    }
  return { name: NAME, result: 'ok', message: `the page is at ${place}` }
}

type Answer =
  | { readonly kind: 'cairn'; readonly project: string; readonly version: string }
  /** A Cairn server, which answers nothing without the token. The token is not sent to an unknown program. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'no_answer' }

const IDENTITY = v.object({ app: v.literal('cairn'), project: v.string(), version: v.string() })
const REFUSED = v.object({ code: v.picklist(['token_missing', 'request_refused', 'too_many_requests']) })

async function whoAnswers(mark: UpMark): Promise<Answer> {
  const text = await answerAt(`${addressOf(mark)}api/server`)
  const json = v.pipe(v.string(), v.parseJson())
  const parsed = v.safeParse(v.pipe(json, IDENTITY), text)
  if (parsed.success) return { kind: 'cairn', project: parsed.output.project, version: parsed.output.version }
  return { kind: v.is(v.pipe(json, REFUSED), text) ? 'silent' : 'no_answer' }
}

/** undefined: no answer in time. */
function answerAt(address: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const nothing = () => resolve(undefined)
    const asked = get(address, { signal: AbortSignal.timeout(ASK_MS), agent: false }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
        if (text.length > MAX_CHARACTERS) response.destroy()
      })
      response.on('end', () => resolve(text))
      response.on('error', nothing)
      response.on('close', nothing)
    })
    asked.on('error', nothing)
  })
}
