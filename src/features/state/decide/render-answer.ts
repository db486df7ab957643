import { BUNDLE_SECTIONS } from '../../../kernel/model/bundle.ts'
import { FENCES, NOTICE } from '../../../kernel/text/memory-context-lines.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { type Answer, type LeftOut, labelOf, SECTION_TITLES } from './answer.ts'
import type { BundleText } from './bundle-texts.ts'
import { cutLine, markdownLine } from './markdown-line.ts'

export const QUERY_OUTPUTS = ['text', 'markdown', 'json', 'prompt'] as const
export type QueryOutput = (typeof QUERY_OUTPUTS)[number]

/** As much as the brief of a new session. */
export const PROMPT_BUDGET_TOKENS = 2_000

/** What is answered. Texts are clean already. */
export interface Rendered {
  /** undefined: the whole state is asked for. */
  readonly question: string | undefined
  readonly projectName: string | undefined
  /** UTC ISO: of when the state is. */
  readonly stateAt: string | undefined
  readonly texts: readonly BundleText[]
  readonly answers: readonly Answer[]
}

const MAX_LENGTH = 1_000
const NOTHING = 'Nothing that is remembered answers this.'

export function renderText({ question, stateAt, texts, answers }: Rendered): string {
  if (question !== undefined)
    return answers.length === 0
      ? `${NOTHING}\n`
      : answers
          .flatMap(answer => [
            `${answer.score.toFixed(2)}  ${labelOf(answer)}`,
            `      ${oneLine(answer.text)}`,
            ...(answer.notes ?? []).map(note => `      (${note})`),
          ])
          .map(line => `${line}\n`)
          .join('')
  const lines: string[] = []
  for (const { title, items } of sectionsOf(texts)) {
    lines.push(...(lines.length === 0 ? [] : ['']), title)
    for (const { text, since } of items) lines.push(`  ${oneLine(text)}${dated(since)}`)
  }
  if (stateAt !== undefined) lines.push('', `State of ${stateAt.slice(0, 16).replace('T', ' ')} UTC`)
  return lines.map(line => `${line}\n`).join('')
}

export function renderMarkdown({ question, projectName, stateAt, texts, answers }: Rendered): string {
  const lines =
    question === undefined
      ? [
          `# ${markdownLine(projectName ?? 'Project memory', 80)}`,
          ...sectionsOf(texts).flatMap(({ title, items }) => [
            '',
            `## ${title}`,
            '',
            ...items.map(({ text, since }) => `- ${markdownLine(text, MAX_LENGTH)}${dated(since)}`),
          ]),
        ]
      : [
          `# ${markdownLine(question, 200)}`,
          '',
          ...(answers.length === 0 ? [NOTHING] : answers.map(answer => markdownItem(answer))),
        ]
  if (stateAt !== undefined) lines.push('', `State of ${stateAt.slice(0, 16).replace('T', ' ')} UTC.`)
  return `${lines.join('\n')}\n`
}

/**
 * Ready to paste: instructions, then the memory inside the fence of a brief, so that an agent takes it for data and whoever distils the
 * session later knows it again. Within the budget; what did not fit is told.
 */
export function renderPrompt(
  rendered: Rendered,
  {
    instructions,
    budgetTokens,
  }: { readonly instructions: string | undefined; readonly budgetTokens: number },
): { readonly text: string; readonly left: readonly LeftOut[] } {
  const { open, close } = FENCES.markdown
  const { question, texts, answers } = rendered
  const head = [
    ...(instructions === undefined ? [] : [instructions, '']),
    open,
    NOTICE,
    ...(question === undefined ? [] : [`Asked: ${markdownLine(question, 300)}`]),
  ]
  const groups =
    question === undefined
      ? sectionsOf(texts).map(({ title, items }) => ({
          title,
          items: items.map(({ text, since }) => `- ${markdownLine(text, MAX_LENGTH)}${dated(since)}`),
        }))
      : [{ title: 'Answers', items: answers.map(answer => markdownItem(answer)) }]
  let spent = estimateTokens([...head, close].join('\n'))
  let left = 0
  const body: string[] = []
  for (const { title, items } of groups) {
    const heading = `### ${title}`
    let isOpen = false
    for (const item of items) {
      const cost = estimateTokens(`\n${item}`) + (isOpen ? 0 : estimateTokens(`\n${heading}`))
      if (spent + cost > budgetTokens) {
        left += 1
        continue
      }
      if (!isOpen) body.push(heading)
      isOpen = true
      spent += cost
      body.push(item)
    }
  }
  if (body.length === 0) body.push(left > 0 ? 'Nothing fits the budget.' : NOTHING)
  const text = `${[...head, ...body, close].join('\n')}\n`
  return {
    text,
    left: left === 0 ? [] : [{ what: 'items', count: left, why: 'over the budget of the prompt' }],
  }
}

function markdownItem(answer: Answer): string {
  const notes = (answer.notes ?? []).map(note => ` (${markdownLine(note, 200)})`).join('')
  return `- [${labelOf(answer).replace(/[[\]`\\<>]/g, '_')}] ${markdownLine(answer.text, MAX_LENGTH)}${notes}`
}

function sectionsOf(texts: readonly BundleText[]) {
  return BUNDLE_SECTIONS.map(section => ({
    title: SECTION_TITLES[section],
    items: texts.filter(text => text.section === section),
  })).filter(({ items }) => items.length > 0)
}

function oneLine(text: string): string {
  return cutLine(text.replace(/\s+/g, ' ').trim(), MAX_LENGTH)
}

function dated(since: string | undefined): string {
  return since === undefined ? '' : ` (${since.slice(0, 10)})`
}
