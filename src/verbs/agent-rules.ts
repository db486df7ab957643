import { CairnError } from '../kernel/model/errors.ts'

/**
 * What an agent may do with a verb:
 *
 *   reads       changes nothing
 *   candidate   what it stores is the agent's candidate (`origin: agent`), never confirmed
 *   own         on the agent's own candidates directly; on any other entry it becomes a proposal, or is refused
 *   person      only a person decides this; a dry run is answered
 *   reports     passes on what happened elsewhere: sessions, a linked repository. Not an act of the agent
 *   free        changes no entry: documents, tasks on the board, settings, the index
 */
type AgentRule = 'reads' | 'candidate' | 'own' | 'person' | 'reports' | 'free'

/** Where it depends on what is asked, a function of the input. */
export type AgentRuleOf = AgentRule | ((input: Readonly<Record<string, unknown>>) => AgentRule)

interface Ruled {
  readonly name: string
  readonly agent: AgentRuleOf
}

export function agentRule({ agent }: Ruled, input: Readonly<Record<string, unknown>>): AgentRule {
  return typeof agent === 'function' ? agent(input) : agent
}

/** Whether an agent's call of this verb is an act of the agent. Throws `not_confirmed` where only a person decides. */
export function agentActs(verb: Ruled, input: Readonly<Record<string, unknown>>): boolean {
  const rule = agentRule(verb, input)
  if (rule === 'person' && input.dryRun !== true) throw onlyAPerson(verb.name)
  return rule !== 'reports'
}

/** What an agent stores: only a person confirms it. */
export const AGENTS_OWN = { origin: 'agent', status: 'candidate' } as const

export function onlyAPerson(verb: string): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `An agent asked for \`${verb}\`, which only a person decides. Nothing was changed.`,
    hint: `Ask the user: \`cairn ${verb}\`, or the Inbox of the page.`,
  })
}
