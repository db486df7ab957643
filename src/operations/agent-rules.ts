import { CairnError } from '../model/errors.ts'

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
export type AgentRule = 'reads' | 'candidate' | 'own' | 'person' | 'reports' | 'free'

type Fields = Readonly<Record<string, unknown>>

/** By the name of the verb; where it depends on what is asked, a function of the input. */
export const AGENT_RULES: Readonly<Record<string, AgentRule | ((input: Fields) => AgentRule)>> = {
  remember: 'candidate',
  save: 'candidate',
  'save entries': 'candidate',
  'task add': 'candidate',
  'work done': 'candidate',
  'seed vault add': 'candidate',
  // It may also begin _project.md, which is injected as it is.
  'seed save': ({ project }) => (project === undefined ? 'candidate' : 'person'),

  pin: 'own',
  edit: 'own',
  forget: 'own',
  feedback: 'own',
  'task done': 'own',
  undo: 'own',
  'seed vault edit': 'own',
  'seed vault delete': 'own',

  confirm: 'person',
  restore: ({ target }) => (target === undefined ? 'reads' : 'person'),
  'review accept': 'person',
  'review reject': 'person',
  'review edit': 'person',
  'review apply': 'person',
  'review dismiss': 'person',
  'conflicts resolve': 'person',
  'obsidian resolve': 'person',
  fresh: ({ fixRenames }) => (fixRenames === true ? 'person' : 'reads'),
  'fresh fix': 'person',
  'hot promote': 'person',
  'hot demote': 'person',
  'project text save': 'person',
  migrate: 'person',
  // What they bring may say that it is confirmed.
  import: 'person',
  'backup restore': 'person',
  // What a person agrees to.
  trust: 'person',
  'agent enable': 'person',
  'embedder allow': 'person',
  'model allow': 'person',
  'source allow': 'person',

  'session start': 'reports',
  'session append': 'reports',
  'session messages': 'reports',
  'session run': 'reports',
  'session checkpoint': 'reports',
  'session sleep': 'reports',
  'session end': 'reports',
  'session close': 'reports',
  'session fork': 'reports',
  'session resume': 'reports',
  'session pick-up': 'reports',
  'session refine': 'reports',
  'seed checkpoint': 'reports',
  'sync-push': 'reports',
  'sync-give-up': 'reports',
  sync: 'reports',
  // Files of the user that the sources of the project name.
  'import sync': 'reports',
  'source sync': 'reports',
  'obsidian sync': 'reports',
  'obsidian watch': 'reports',

  init: 'free',
  uninstall: 'free',
  untrust: 'free',
  'projects forget': 'free',
  'agent disable': 'free',
  'agent run': 'free',
  'agent command': 'free',
  'agent stop': 'free',
  'work add': 'free',
  'work plan': 'free',
  'work tasks': 'free',
  'work claim': 'free',
  'work beat': 'free',
  'work fail': 'free',
  'work cancel': 'free',
  'work retry': 'free',
  'work prune': 'free',
  'alias add': 'free',
  'alias remove': 'free',
  'hot init': 'free',
  'hot link': 'free',
  'hot unlink': 'free',
  'skill save': 'free',
  'skill remove': 'free',
  'skill link': 'free',
  'skill unlink': 'free',
  'cold remove': 'free',
  'source add': 'free',
  'source remove': 'free',
  'obsidian link': 'free',
  'obsidian unlink': 'free',
  link: 'free',
  unlink: 'free',
  embed: 'free',
  'embedder forbid': 'free',
  'model forbid': 'free',
  'model try': 'free',
  'merge-driver install': 'free',
  'merge-driver uninstall': 'free',
  backup: 'free',
  'workspace plan add': 'free',
  'workspace plan set': 'free',
  'workspace overview set': 'free',
  'workspace learn': 'free',
  'workspace migrate': 'free',
  // Of what machines captured alone; the archive has what it removes.
  compact: 'free',
  'seed compact': 'free',
  'seed migrate': 'free',
  // An agent's folds into the state alone.
  recall: 'free',
  'projections write': 'free',
  'projections remove': 'free',
  'entry-block write': 'free',
  'entry-block remove': 'free',
  doctor: 'free',
  budget: 'free',
  auto: 'free',
  preset: 'free',
  'config set': 'free',
  'config unset': 'free',
  // By whoever has the password of the database.
  'hub init': 'free',
  'hub add-project': 'free',
  'hub rename': 'free',
  'hub archive': 'free',
  'hub restore': 'free',
  'hub remove': 'free',
  'hub disable': 'free',
  'hub enable': 'free',
  'hub token add': 'free',
  'hub token set': 'free',
  'hub token revoke': 'free',
  'hub backup': 'free',
  'hub backup restore': 'free',

  projects: 'reads',
  search: 'reads',
  everywhere: 'reads',
  met: 'reads',
  entity: 'reads',
  brief: 'reads',
  'brief preview': 'reads',
  briefs: 'reads',
  why: 'reads',
  list: 'reads',
  show: 'reads',
  links: 'reads',
  conflicts: 'reads',
  graph: 'reads',
  sessions: 'reads',
  'session recover': 'reads',
  'session show': 'reads',
  agents: 'reads',
  'agent hosts': 'reads',
  'agent chats': 'reads',
  'task list': 'reads',
  work: 'reads',
  'work list': 'reads',
  'work show': 'reads',
  'work wait': 'reads',
  'alias list': 'reads',
  hot: 'reads',
  'hot lint': 'reads',
  'skill list': 'reads',
  'skill show': 'reads',
  cold: 'reads',
  'cold show': 'reads',
  'import discover': 'reads',
  'source list': 'reads',
  'obsidian status': 'reads',
  'embedder status': 'reads',
  'model status': 'reads',
  'merge-driver status': 'reads',
  export: 'reads',
  'backup check': 'reads',
  review: 'reads',
  'retrieve plans': 'reads',
  'retrieve overview': 'reads',
  'retrieve learnings': 'reads',
  workspaces: 'reads',
  checkpoints: 'reads',
  'checkpoint show': 'reads',
  query: 'reads',
  'query templates': 'reads',
  projections: 'reads',
  'entry-block': 'reads',
  log: 'reads',
  events: 'reads',
  status: 'reads',
  validate: 'reads',
  'config list': 'reads',
  'config get': 'reads',
  vault: 'reads',
  drift: 'reads',
  'project text': 'reads',
  archive: 'reads',
  'fresh list': 'reads',
  live: 'reads',
  timeline: 'reads',
  server: 'reads',
  health: 'reads',
  'seed conversations': 'reads',
  'seed vault': 'reads',
  'seed search': 'reads',
  'seed recover': 'reads',
  'seed compaction': 'reads',
  'sync-hello': 'reads',
  'sync-pull': 'reads',
  'sync-versions': 'reads',
  'hub projects': 'reads',
  'hub principals': 'reads',
  'hub tokens': 'reads',
  'hub audit': 'reads',
}

/** A verb without a row is a person's. */
export function agentRule(verb: string, input: Fields): AgentRule {
  const rule = Object.hasOwn(AGENT_RULES, verb) ? AGENT_RULES[verb] : undefined
  return (typeof rule === 'function' ? rule(input) : rule) ?? 'person'
}

/** Whether an agent's call of this verb is an act of the agent. Throws `not_confirmed` where only a person decides. */
export function agentActs(verb: string, input: Fields): boolean {
  const rule = agentRule(verb, input)
  if (rule === 'person' && input.dryRun !== true) throw onlyAPerson(verb)
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
