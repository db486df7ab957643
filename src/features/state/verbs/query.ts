import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { BUNDLE_SECTIONS, type Bundle, type BundleSection } from '../../../kernel/model/bundle.ts'
import { CairnError, exitCodeOf } from '../../../kernel/model/errors.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import { count, defineOperation, degradedSchema, problemsSchema, text } from '../../../verbs/operation.ts'
import {
  type BundleText,
  bundleTexts,
  PROMPT_BUDGET_TOKENS,
  QUERY_OUTPUTS,
  QUERY_SOURCES,
  type QueryOutput,
  type Rendered,
  renderMarkdown,
  renderPrompt,
  renderText,
} from '../decide/answer.ts'
import { type QueryTemplate, readTemplates } from '../decide/query-templates.ts'
import { bundleSchema } from '../decide/state-document.ts'
import { type QueryResult, query } from '../querying.ts'
import { textSafety } from '../safe-state.ts'

/** Items of each section in the answer without a question. */
const MAX_SECTION_ITEMS = 50

const texts = v.pipe(v.array(v.string()), v.readonly())
const choices = <const Choices extends readonly [string, ...string[]]>(names: Choices, description: string) =>
  v.pipe(v.array(v.picklist(names, `one of ${names.join(', ')}`)), v.description(description))

const answersSchema = v.pipe(
  v.array(
    v.object({
      source: v.picklist(QUERY_SOURCES),
      id: v.pipe(
        v.string(),
        v.description('The id of the entry, event or checkpoint; for the state the position: `nextSteps[2]`'),
      ),
      score: v.pipe(v.number(), v.description('From 0 to 1, one scale for all sources')),
      text: v.string(),
      section: v.exactOptional(v.picklist(BUNDLE_SECTIONS)),
      kind: v.exactOptional(v.string()),
      agent: v.exactOptional(v.string()),
      date: v.exactOptional(v.string()),
      until: v.exactOptional(
        v.pipe(v.string(), v.description('For a checkpoint: when the state last had it')),
      ),
      files: texts,
      sources: v.pipe(texts, v.description('The evidence: `entry:<id>`, `event:<id>`')),
      notes: v.exactOptional(texts),
    }),
  ),
  v.readonly(),
)

const { entries } = bundleSchema
const shownBundleSchema = v.object({
  project: v.exactOptional(entries.project),
  projectMap: v.exactOptional(entries.projectMap),
  currentFocus: v.exactOptional(entries.currentFocus),
  gotchas: v.exactOptional(entries.gotchas),
  nextSteps: v.exactOptional(entries.nextSteps),
  validationCommands: v.exactOptional(entries.validationCommands),
})

export const queryOperation = defineOperation({
  name: 'query',
  group: 'Project state',
  agent: 'reads',
  route: { at: 'GET /api/query', access: 'read' },
  tool: {
    name: 'query',
    title: 'Ask everything',
    description:
      'One ranked answer from state, entries, events and checkpoints; without a question, the state.',
    fields: { question: '', section: '', source: '', limit: '' },
    effect: 'reads',
    defaults: { output: 'markdown' },
    isExtra: true,
    answer: async () => (await import('../present-to-agents.ts')).queryText,
  },
  summary: 'Ask everything that is known about the project, or show its state',
  description:
    'One ranked answer from the state of the project (`cairn recall`), the entries, the events and earlier states. --output prompt gives a block to paste into an agent, with the instructions of a --template before it.',
  positionals: ['question'],
  input: v.object({
    question: v.optional(text('What you want to know; without it, the whole state')),
    section: v.optional(
      choices(
        BUNDLE_SECTIONS,
        `Only these sections of the state and its checkpoints: ${BUNDLE_SECTIONS.join(', ')}. Entries and events then answer only with --source`,
      ),
    ),
    source: v.optional(
      choices(
        QUERY_SOURCES,
        `The sources of the answer: ${QUERY_SOURCES.join(', ')} (default: all). Documents of workspaces belong to the entries`,
      ),
    ),
    limit: v.optional(
      count(
        'Maximum number of answers (default: search.limit), or of items of each section (default: 50)',
        100,
      ),
    ),
    checkpoint: v.optional(text('As of this checkpoint: its id, the start of an id, or latest')),
    reader: v.optional(text('Only what this agent reads: its own vault, shared and private')),
    output: v.optional(
      v.pipe(
        v.picklist(QUERY_OUTPUTS, `one of ${QUERY_OUTPUTS.join(', ')}`),
        v.description('The format of the answer (default: query.defaultOutput)'),
      ),
    ),
    template: v.optional(
      text('The template with the instructions of a prompt: `cairn query templates` lists them'),
    ),
    budget: v.optional(count(`Maximum tokens of a prompt (default ${PROMPT_BUDGET_TOKENS})`, 100_000)),
  }),
  output: v.object({
    question: v.nullable(v.string()),
    output: v.picklist(QUERY_OUTPUTS),
    template: v.nullable(v.string()),
    state: v.pipe(
      v.nullable(v.object({ bundleHash: v.string(), at: v.string(), checkpoint: v.nullable(v.string()) })),
      v.description('The state that answered; null: there is none'),
    ),
    bundle: v.pipe(
      v.nullable(shownBundleSchema),
      v.description('Without a question: the state, or the requested sections'),
    ),
    answers: answersSchema,
    left: v.pipe(
      v.array(v.object({ what: v.string(), count: v.number(), why: v.string() })),
      v.readonly(),
      v.description('What is not in the answer, and why'),
    ),
    text: v.pipe(v.string(), v.description('The answer in the requested format')),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn query', does: 'where the project stands' },
    { command: 'cairn query "what is left to do?"', does: 'the next steps, and other matching memories' },
    { command: 'cairn query "how do sessions expire?" --source entries,events', does: 'without the state' },
    { command: 'cairn query --template handoff', does: 'a prompt for the agent that continues' },
    { command: 'cairn query --checkpoint 2026-03-16', does: 'as it was then' },
  ],
  // A state that cannot be read is not an answer, whatever else was found.
  exitCode({ state, problems }) {
    const isUnreadable = problems.some(({ path }) => /^(?:state\.json$|history\/checkpoints\/)/.test(path))
    return state === null && isUnreadable ? exitCodeOf('document_damaged') : 0
  },
  async run(memory, input) {
    const config = await memory.config()
    const question = input.question?.trim() === '' ? undefined : input.question?.trim()
    const template = input.template === undefined ? undefined : await templateNamed(memory, input.template)
    // Only a prompt has instructions.
    const output = input.output ?? (template === undefined ? config['query.defaultOutput'] : 'prompt')
    checkTogether({ ...input, question, output })
    const result = await query(memory, {
      question,
      sections: input.section,
      sources: input.source,
      limit: input.limit ?? config['search.limit'],
      checkpoint: input.checkpoint,
      reader: input.reader,
    })
    const sections = input.section ?? BUNDLE_SECTIONS
    const cut = cutBundle(result.bundle, sections, input.limit ?? MAX_SECTION_ITEMS)
    const clean = await textSafety(memory)
    const answered: Answered = { ...result, bundle: cut.bundle, left: [...result.left, ...cut.left] }
    const { text, left } = render(answered, {
      output,
      question: question && clean(question),
      texts: cut.texts,
      projectName: result.bundle?.project.name,
      instructions: template && clean(template.instructions),
      budgetTokens: input.budget ?? PROMPT_BUDGET_TOKENS,
    })
    return {
      question: question === undefined ? null : clean(question),
      output,
      template: template?.name ?? null,
      ...answered,
      left,
      text,
    }
  },
})

/** Refuses options that would have no effect. */
function checkTogether(input: {
  readonly question: string | undefined
  readonly output: QueryOutput
  readonly template?: string | undefined
  readonly budget?: number | undefined
  readonly source?: readonly string[] | undefined
  readonly reader?: string | undefined
}): void {
  const { question, output, template, budget, source, reader } = input
  const refuse = (message: string, hint: string) => new CairnError({ code: 'invalid_input', message, hint })
  if (output !== 'prompt' && (template !== undefined || budget !== undefined))
    throw refuse(
      `query: \`${template === undefined ? 'budget' : 'template'}\`: only a prompt uses it, and the output is ${output}.`,
      'Leave it out, or ask for `--output prompt`.',
    )
  if (question === undefined && (source !== undefined || reader !== undefined))
    throw refuse(
      `query: \`${source === undefined ? 'reader' : 'source'}\`: only a question uses it; without a question the state is shown.`,
      'Ask something, or leave it out.',
    )
}

type Answered = Omit<QueryResult, 'bundle'> & { readonly bundle: Partial<Bundle> | null }

function render(
  answered: Answered,
  options: {
    readonly output: QueryOutput
    readonly question: string | undefined
    readonly texts: readonly BundleText[]
    readonly projectName: string | undefined
    readonly instructions: string | undefined
    readonly budgetTokens: number
  },
): { text: string; left: Answered['left'] } {
  const { output, question, texts, projectName, instructions, budgetTokens } = options
  const { left, answers, state } = answered
  const rendered: Rendered = { question, projectName, stateAt: state?.at, texts, answers }
  // Never empty: the answer says that there is no state yet.
  if (question === undefined && state === null && output !== 'json' && output !== 'prompt')
    return {
      text: answered.problems.some(({ path }) => path === 'state.json')
        ? 'The state of the project cannot be shown.\n'
        : 'There is no state of the project to show. `cairn recall` makes one.\n',
      left,
    }
  if (output === 'text') return { text: renderText(rendered), left }
  if (output === 'markdown') return { text: renderMarkdown(rendered), left }
  if (output === 'prompt') {
    const prompt = renderPrompt(rendered, { instructions, budgetTokens })
    return { text: prompt.text, left: [...left, ...prompt.left] }
  }
  const { bundle, problems } = answered
  const json = { question: question ?? null, state, bundle, answers, left, problems }
  return { text: `${JSON.stringify(json, null, 2)}\n`, left }
}

/** The requested sections, cut to the limit. */
function cutBundle(bundle: Bundle | null, sections: readonly BundleSection[], limit: number) {
  if (bundle === null) return { bundle: null, texts: [], left: [] }
  const wanted = BUNDLE_SECTIONS.filter(section => sections.includes(section))
  const cut: Partial<Record<BundleSection, unknown>> = {}
  let left = 0
  for (const section of wanted) {
    const value = bundle[section]
    if (!Array.isArray(value)) cut[section] = value
    else {
      cut[section] = value.slice(0, limit)
      left += Math.max(0, value.length - limit)
    }
  }
  const shown = cut as Partial<Bundle>
  return {
    bundle: shown,
    texts: bundleTexts({ ...bundle, ...shown }, wanted),
    left: left === 0 ? [] : [{ what: 'items', count: left, why: 'beyond the limit of a section' }],
  }
}

export const queryTemplatesOperation = defineOperation({
  name: 'query templates',
  group: 'Project state',
  agent: 'reads',
  summary: 'List the templates with instructions for a prompt',
  description:
    'The templates of Cairn and of the project: `query.templates` of config.json, { "release": { "instructions": "…" } }. A template of the project replaces one of Cairn with the same name.',
  positionals: [],
  input: v.object({}),
  output: v.object({
    templates: v.pipe(
      v.array(
        v.object({
          name: v.string(),
          instructions: v.string(),
          origin: v.pipe(
            v.picklist(['built-in', 'project']),
            v.description('Shipped with Cairn, or from config.json'),
          ),
        }),
      ),
      v.readonly(),
    ),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn query templates', does: 'the values of --template' }],
  async run(memory) {
    const { templates } = await templatesOf(memory)
    return {
      templates,
      problems: await templateProblems(memory),
      degraded: memory.store.takeDegraded(),
    }
  },
})

async function templatesOf(memory: Memory) {
  const { query: group } = await memory.store.readDocument('config.json')
  const stored =
    typeof group === 'object' && group !== null && 'templates' in group ? group.templates : undefined
  return readTemplates(stored)
}

/** For status and validate as well. */
export async function templateProblems(memory: Memory): Promise<Problem[]> {
  const { problems } = await templatesOf(memory)
  return problems.map(message => ({
    code: 'config_value_invalid',
    path: 'config.json',
    message: `${message}; the template is not used.`,
    hint: 'A template looks like { "instructions": "Write the release notes from the memory below." }.',
  }))
}

async function templateNamed(memory: Memory, name: string): Promise<QueryTemplate> {
  const { templates } = await templatesOf(memory)
  const found = templates.find(template => template.name === name)
  if (found !== undefined) return found
  throw new CairnError({
    code: 'template_not_found',
    message: `There is no template ${JSON.stringify(name.slice(0, 60))}.`,
    hint: `The templates are: ${templates.map(template => template.name).join(', ')}.`,
  })
}
