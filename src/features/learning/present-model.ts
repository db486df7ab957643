import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

interface ModelView {
  readonly use: string
  readonly name: string | null
  readonly state: 'off' | 'allowed' | 'not_allowed' | 'changed' | 'damaged'
  readonly today: {
    readonly calls: number
    readonly inputTokens: number
    readonly outputTokens: number
    readonly microUsd: number
  }
  readonly caps: {
    readonly tokens: number
    readonly cents: number
    readonly moneyCounted: boolean
    readonly reached: boolean
  }
  readonly lastFailure: { readonly at: string; readonly model: string; readonly message: string } | null
}

interface StandingView extends ModelView {
  readonly terms: {
    readonly url: string | null
    readonly name: string | null
    readonly keyVariable: string | null
    readonly command: readonly string[] | null
    readonly maxOutputTokens: number
    readonly inputPrice: number
    readonly outputPrice: number
  } | null
  readonly code: string | null
  readonly since: string | null
}

const MICRO_USD_A_CENT = 10_000

/** The line of `cairn status`. */
export function modelLine(view: ModelView): string {
  if (view.state === 'off') return 'Model off'
  const name = visible(view.name ?? '')
  if (view.state === 'allowed') return `Model ${name}, ${spent(view)}`
  return `Model ${name}, not used: ${REASONS[view.state]}`
}

const REASONS = {
  not_allowed: 'not allowed on this machine (`cairn model allow`)',
  changed: 'its settings changed since they were allowed (`cairn model allow`)',
  damaged: 'what was allowed on this machine cannot be read (`cairn model allow`)',
} as const

function spent({ today, caps }: ModelView): string {
  const tokens = `${today.inputTokens + today.outputTokens} of ${caps.tokens} tokens`
  const money = caps.moneyCounted
    ? `${cents(today.microUsd)} of ${caps.cents} US cents`
    : 'money not counted (no price)'
  const end = caps.reached ? ': cap reached, only the rules decide until midnight UTC' : ''
  return `today ${today.calls} ${today.calls === 1 ? 'call' : 'calls'}, ${tokens}, ${money}${end}`
}

function cents(microUsd: number): string {
  return String(Math.round((microUsd / MICRO_USD_A_CENT) * 100) / 100)
}

function presentModelStatus(view: AnswerOf<'model status'>, terminal: Terminal): void {
  terminal.out(`${modelLine(view)}\n`)
  if (view.terms === null) {
    terminal.out(
      terminal.dim('Findings come from rules only. `cairn config set model.use …` chooses a model.\n'),
    )
    return
  }
  showTerms(view, terminal)
  if (view.since !== null) terminal.out(`  allowed   ${view.since}\n`)
  if (view.state !== 'allowed') terminal.out(`Today: ${spent(view)}\n`)
  if (view.lastFailure !== null)
    terminal.out(`${terminal.bad('Failed')} ${view.lastFailure.at}: ${visible(view.lastFailure.message)}\n`)
}

function presentModelAllow(view: AnswerOf<'model allow'>, terminal: Terminal): void {
  if (view.terms === null || view.code === null) {
    terminal.out('No model is configured (`model.use` is off), so there is nothing to allow.\n')
    return
  }
  terminal.out(
    view.state === 'allowed' ? `${terminal.good('Allowed')} on this machine:\n` : 'config.json asks for:\n',
  )
  showTerms(view, terminal)
  terminal.out(
    'The model receives the messages of users and agents in this project, without private parts, secrets, code and tool output.\n',
  )
  if (view.state !== 'allowed') terminal.out(`To allow this: cairn model allow ${view.code}\n`)
}

function showTerms({ use, terms, caps }: StandingView, terminal: Terminal): void {
  if (terms === null) return
  if (terms.command !== null) terminal.out(`  runs      ${visible(JSON.stringify(terms.command))}\n`)
  else {
    terminal.out(`  contacts  ${visible(terms.url ?? '')} (${use})\n`)
    terminal.out(`  model     ${visible(terms.name ?? '') || 'not set (`model.name`)'}\n`)
    terminal.out(`  key       from the environment variable ${visible(terms.keyVariable ?? '')}\n`)
  }
  const price =
    terms.inputPrice + terms.outputPrice === 0
      ? 'no price set: only tokens have a cap'
      : `at ${terms.inputPrice} and ${terms.outputPrice} US cents per million input and output tokens`
  terminal.out(`  caps      ${caps.tokens} tokens and ${caps.cents} US cents per day (${price})\n`)
}

function presentModelForbid({ forbidden }: AnswerOf<'model forbid'>, terminal: Terminal): void {
  terminal.out(forbidden ? 'Revoked. Cairn no longer calls the model.\n' : 'No model was allowed here.\n')
}

function presentModelTry(tried: AnswerOf<'model try'>, terminal: Terminal): void {
  if (tried.answer === null || tried.model === null) {
    terminal.out(`Would send:\n  ${tried.request.instruction}\n  ${tried.request.content}\n`)
    if (tried.state === 'off') terminal.out('No model is configured (`model.use` is off).\n')
    else if (tried.state !== 'allowed') terminal.out(`Not used: ${REASONS[tried.state]}.\n`)
    return
  }
  const { name, inputTokens, outputTokens, costMicroUsd } = tried.model
  terminal.out(`${visible(tried.answer)}\n`)
  terminal.out(
    terminal.dim(
      `${visible(name)}: ${inputTokens} tokens read, ${outputTokens} written, ${cents(costMicroUsd)} US cents\n`,
    ),
  )
}

export const MODEL_PRESENTERS = {
  'model status': presentModelStatus,
  'model allow': presentModelAllow,
  'model forbid': presentModelForbid,
  'model try': presentModelTry,
} satisfies Partial<Presenters>
