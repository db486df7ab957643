import type { Problem } from '../../../kernel/model/search.ts'
import type { LearningAnswer, OverviewAnswer, PlanAnswer } from './answers.ts'
import { quoted } from './quoted.ts'

/** Fields that every answer has. */
export interface Rest {
  /** Documents that match the filter; more than are shown if the answer was cut. */
  readonly total: number
  /** Documents that could not be read. */
  readonly leftOut: number
  readonly problems: readonly Problem[]
}

/** The YAML of seed B, section 4.2.2. */
export function renderPlans({ plans, ...rest }: Rest & { readonly plans: readonly PlanAnswer[] }): string {
  return [renderList('plans', plans.map(planLines)), ...renderRest(rest, plans.length)].join('\n')
}

function planLines(plan: PlanAnswer): string[] {
  return [
    `name: ${quoted(plan.name)}`,
    ...(plan.description === undefined ? [] : [`description: ${quoted(plan.description)}`]),
    ...(plan.status === undefined ? [] : [`status: ${plan.status}`]),
    ...(plan.created === undefined ? [] : [`created: ${quoted(plan.created)}`]),
    ...(plan.updated === undefined ? [] : [`updated: ${quoted(plan.updated)}`]),
    ...tagLines(plan.tags),
    ...metaLines(plan),
  ]
}

/** The YAML of section 4.2.3. */
export function renderOverviews({
  overviews,
  ...rest
}: Rest & { readonly overviews: readonly OverviewAnswer[] }): string {
  return [renderList('overviews', overviews.map(overviewLines)), ...renderRest(rest, overviews.length)].join(
    '\n',
  )
}

function overviewLines(overview: OverviewAnswer): string[] {
  return [
    `scope: ${quoted(overview.scope)}`,
    `tier: ${overview.tier}`,
    ...(overview.tier === 'T1'
      ? renderBlock('content', overview.content)
      : overview.abstract === undefined
        ? []
        : [`abstract: ${quoted(overview.abstract)}`]),
    ...metaLines(overview),
  ]
}

/** The YAML of section 4.2.4. A learning from another scope names that scope. */
export function renderLearnings({
  decisions,
  lessons,
  scope,
  ...rest
}: Rest & {
  readonly decisions: readonly LearningAnswer[]
  readonly lessons: readonly LearningAnswer[]
  readonly scope: string
}): string {
  const lines = (learning: LearningAnswer) => learningLines(learning, scope)
  return [
    renderList('decisions', decisions.map(lines)),
    renderList('lessons', lessons.map(lines)),
    ...renderRest(rest, decisions.length + lessons.length),
  ].join('\n')
}

function learningLines(learning: LearningAnswer, scope: string): string[] {
  return [
    `content: ${quoted(learning.content)}`,
    ...(learning.date === undefined ? [] : [`date: ${quoted(learning.date)}`]),
    ...(learning.category === undefined ? [] : [`category: ${word(learning.category)}`]),
    ...tagLines(learning.tags),
    ...(learning.scope === scope ? [] : [`scope: ${quoted(learning.scope)}`]),
    ...metaLines(learning),
  ]
}

/** The seed's general rule requires both fields in every answer; its examples of overviews and learnings show only the path. */
function metaLines({ _meta }: Pick<PlanAnswer, '_meta'>): string[] {
  return [
    '_meta:',
    `  document_path: ${quoted(_meta.document_path)}`,
    `  document_id: ${quoted(_meta.document_id)}`,
  ]
}

function renderList(name: string, items: readonly (readonly string[])[]): string {
  if (items.length === 0) return `${name}: []\n`
  const rendered = items.map(lines =>
    lines.map((line, at) => (line === '' ? '' : `${at === 0 ? '  - ' : '    '}${line}`)).join('\n'),
  )
  return `${name}:\n${rendered.join('\n\n')}\n`
}

function renderRest({ total, leftOut, problems }: Rest, shown: number): string[] {
  return [
    ...(total > shown ? [`total: ${total}\nshown: ${shown}\n`] : []),
    ...(leftOut > 0 ? [`left_out: ${leftOut}\n`] : []),
    ...(problems.length > 0 ? [renderList('problems', problems.map(problemLines))] : []),
  ]
}

function problemLines({ code, path, line, message, hint }: Problem): string[] {
  return [
    `file: ${quoted(path)}`,
    ...(line === undefined ? [] : [`line: ${line}`]),
    `problem: ${word(code)}`,
    `message: ${quoted(message)}`,
    `hint: ${quoted(hint)}`,
  ]
}

function tagLines(tags: readonly string[]): string[] {
  return tags.length === 0 ? [] : [`tags: [${tags.map(word).join(', ')}]`]
}

const PLAIN_WORD = /^[A-Za-z][\w./-]*$/
const NOT_A_STRING = /^(?:null|true|false|yes|no|on|off|y|n)$/i

/** Without quotes if every YAML parser, including those of YAML 1.1, reads it as the same text. */
function word(text: string): string {
  return PLAIN_WORD.test(text) && !NOT_A_STRING.test(text) ? text : quoted(text)
}

const NOT_IN_A_BLOCK =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufffe\uffff]/

/** Line by line if YAML allows it; otherwise in quotes. */
function renderBlock(name: string, text: string): string[] {
  const isPlain =
    !NOT_IN_A_BLOCK.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')) &&
    /^\S/.test(text) &&
    !/\n\n$/.test(text)
  if (!isPlain) return [`${name}: ${quoted(text)}`]
  const isEnded = text.endsWith('\n')
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n')
  return [`${name}: ${isEnded ? '|' : '|-'}`, ...lines.map(line => (line === '' ? '' : `  ${line}`))]
}
