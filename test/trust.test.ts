import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimTask } from '../src/addons/work/working.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { openChanges } from '../src/features/learning/review-queue.ts'
import type { Entry } from '../src/kernel/model/entry.ts'
import { CairnError } from '../src/kernel/model/errors.ts'
import { CONTRACT, HUB_CONTRACT } from '../src/surfaces/http/contract.ts'
import { hubAccessOf } from '../src/surfaces/http/hub-server.ts'
import type { RouteName } from '../src/surfaces/http/paths.generated.ts'
import type { Route, StreamRoute } from '../src/surfaces/http/route.ts'
import { callTool, findTool } from '../src/surfaces/mcp/tool-calls.ts'
import { TOOLS } from '../src/surfaces/mcp/tools.generated.ts'
import { type AgentRuleOf, agentRule } from '../src/verbs/agent-rules.ts'
import { OPERATIONS } from '../src/verbs/all.ts'
import { inWorld, makeWorld } from './e2e/world.ts'
import { type HubWorld, hubWorld } from './support/hub-world.ts'

type Fields = Readonly<Record<string, unknown>>

/** How each verb that an agent may not use freely is asked; `on`: the entry, `as`: unique words. */
interface Case {
  readonly input: (on: Entry, as: string, engine: Composed) => Fields | Promise<Fields>
  /** It is about a checkbox. */
  readonly isTask?: true
}

const CASES: Readonly<Record<string, Case>> = {
  remember: { input: (_, as) => ({ content: `The ${as} service listens on port 8080.` }) },
  save: { input: () => ({ file: 'save.json' }) },
  'save entries': { input: (_, as) => ({ content: `The ${as} service listens on port 8080.` }) },
  'task add': { input: (_, as) => ({ text: `Rotate the ${as} key` }) },
  'work done': {
    input: async (_, as, engine) => ({
      lease: await leaseOf(engine, as),
      result: 'Built.',
      remember: `The ${as} service listens on port 8080.`,
    }),
  },
  'seed vault add': {
    input: (_, as) => ({
      agentId: 'dev',
      category: 'lessons',
      content: `The ${as} service listens on port 8080.`,
    }),
  },
  'seed save': { input: (_, as) => ({ agentId: 'dev', append: `The ${as} service listens on port 8080.` }) },

  pin: { input: ({ id }) => ({ target: id, off: false }) },
  edit: { input: ({ id }, as) => ({ target: id, content: `The ${as} cache is cleared every night.` }) },
  forget: { input: ({ id }) => ({ target: id }) },
  feedback: { input: ({ id }) => ({ target: id, saying: 'wrong' }) },
  'task done': { input: ({ id }) => ({ target: id }), isTask: true },
  undo: { input: async ({ id }, _, engine) => ({ record: await recordOf(engine, id) }) },
  'seed vault edit': {
    input: ({ id, agent, category }, as) => ({
      agentId: agent,
      category,
      id,
      content: `The ${as} cache is cleared every night.`,
    }),
  },
  'seed vault delete': { input: ({ id, agent, category }) => ({ agentId: agent, category, id }) },

  confirm: { input: ({ id }) => ({ target: id }) },
  restore: { input: ({ id }) => ({ target: id }) },
  'review accept': { input: ({ id }) => ({ ids: [id] }) },
  'review reject': { input: ({ id }) => ({ ids: [id] }) },
  'review edit': { input: ({ id }, as) => ({ id, content: `The ${as} cache is cleared every night.` }) },
  'review apply': { input: ({ id }) => ({ ids: [id], archive: true }) },
  'review dismiss': { input: ({ id }) => ({ ids: [id] }) },
  'conflicts resolve': { input: ({ id }) => ({ pair: id, both: true }) },
  'obsidian resolve': { input: ({ id }) => ({ id }) },
  fresh: { input: () => ({ fixRenames: true }) },
  'fresh fix': { input: () => ({}) },
  'hot promote': { input: ({ id }) => ({ target: id }) },
  'hot demote': { input: ({ id }) => ({ rule: id }) },
  'project text save': { input: () => ({ text: 'Everything is allowed here.' }) },
  migrate: { input: () => ({}) },
  import: { input: () => ({ file: 'notes.md' }) },
  'backup restore': { input: () => ({ file: 'memory.backup' }) },
  trust: { input: () => ({}) },
  'agent enable': { input: () => ({ host: 'codex' }) },
  'embedder allow': { input: () => ({}) },
  'model allow': { input: () => ({}) },
  'source allow': { input: () => ({}) },
}

async function leaseOf(engine: Composed, name: string): Promise<string> {
  await engine.work.add(`g${name}`, [{ name: 'one', title: 'Build' }], 'dev')
  const claimed = await claimTask(engine, { graph: `g${name}`, worker: 'dev' })
  if (claimed === undefined) throw new Error('the task was not ready')
  return claimed.lease
}

async function recordOf(engine: Composed, id: string): Promise<string> {
  await engine.store.refresh()
  for await (const record of engine.store.readJournal({}))
    if (record.changes.some(change => change.type === 'entry' && change.after?.id === id)) return record.id
  throw new Error('nothing is in the journal')
}

/** An agent that asks. */
interface Surface {
  readonly engine: Composed
  /** The verbs that were asked. */
  readonly offered: Set<string>
  /** undefined: this surface does not offer it; otherwise the code of the refusal, or `done`. */
  ask(verb: string, input: Fields): Promise<string | undefined>
}

let words = 0
const unique = () => `k${(words++).toString(36)}zq`

async function stored(engine: Composed, by: 'person' | 'agent', isTask: boolean): Promise<Entry> {
  const actor = by === 'agent' ? ({ host: 'mcp', isAgent: true } as const) : ({ host: 'cli' } as const)
  const content = isTask ? `- [ ] Rotate the ${unique()} key` : `The ${unique()} cache is cleared at noon.`
  const [result] = await remember({ ...engine, actor }, [
    {
      content,
      ...(isTask && { category: 'tasks' as const }),
      ...(by === 'agent' && { origin: 'agent' as const, status: 'candidate' as const }),
    },
  ])
  if (result === undefined) throw new Error('nothing was stored')
  return result.entry
}

async function now(engine: Composed, { id }: Entry): Promise<Entry | undefined> {
  await engine.store.refresh()
  return engine.store.findEntry(id)
}

async function asked(surface: Surface, verb: string, on: Entry, as = unique()): Promise<string | undefined> {
  const one = CASES[verb]
  if (one === undefined) throw new Error(`no case for ${verb}`)
  const code = await surface.ask(verb, await one.input(on, as, surface.engine))
  if (code !== undefined) surface.offered.add(verb)
  return code
}

const STORED = /port 8080|Rotate the/

function isRefused(verb: string, surface: Surface) {
  return async (by: 'person' | 'agent') => {
    const entry = await stored(surface.engine, by, false)
    const code = await asked(surface, verb, entry)
    if (code === undefined) return
    expect([verb, by, code]).toEqual([verb, by, 'not_confirmed'])
    expect(await now(surface.engine, entry)).toEqual(entry)
  }
}

async function tryVerb(surface: Surface, verb: string): Promise<void> {
  const { engine } = surface
  const isTask = CASES[verb]?.isTask === true
  const person = await stored(engine, 'person', isTask)
  const input = await (CASES[verb] as Case).input(person, 'rule', engine)
  const rule = agentRule({ name: verb, agent: await ruleOf(verb) }, input)
  if (rule === 'candidate') {
    const as = verb === 'save' ? 'savedfile' : unique()
    const code = await asked(surface, verb, person, as)
    if (code === undefined) return
    expect([verb, code]).toEqual([verb, 'done'])
    await engine.store.refresh()
    const { entries } = await engine.store.listEntries({ filter: {}, limit: 500, offset: 0 })
    const [entry] = entries.filter(({ content }) => content.includes(as) && STORED.test(content))
    expect([verb, entry?.origin, entry?.status]).toEqual([verb, 'agent', 'candidate'])
    return
  }
  if (rule === 'person') {
    for (const by of ['person', 'agent'] as const) await isRefused(verb, surface)(by)
    return
  }
  expect([verb, rule]).toEqual([verb, 'own'])
  const before = (await openChanges(engine)).length
  const code = await asked(surface, verb, person)
  if (code === undefined) return
  expect(await now(engine, person)).toEqual(person)
  // What another did is not taken back by a proposal: the answer names the command.
  if (verb === 'undo') expect(code).toBe('not_confirmed')
  else {
    expect([verb, code]).toEqual([verb, 'done'])
    expect([verb, (await openChanges(engine)).length]).toEqual([verb, before + 1])
  }
  const own = await stored(engine, 'agent', isTask)
  expect([verb, await asked(surface, verb, own)]).toEqual([verb, 'done'])
  const changed = await now(engine, own)
  if (verb === 'feedback') {
    const feedback = await engine.feedback()
    expect(JSON.stringify(feedback)).toContain(own.id)
  } else expect([verb, changed]).not.toEqual([verb, own])
  expect(['person', 'confirmed']).not.toContain(changed?.origin ?? '')
  expect(changed?.status).not.toBe('confirmed')
  // The next verb finds room for its proposal.
  await engine.store.write({ host: 'cli' }, async view => {
    const waiting = await view.readDocument('history/proposals.json')
    return {
      action: 'reject',
      changes: [{ type: 'document', name: 'history/proposals.json', before: waiting, after: {} }],
    }
  })
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'done'
  } catch (error) {
    if (error instanceof CairnError) return error.code
    throw error
  }
}

/** What each surface offers of it; the rest it has no way to ask. */
const OFFERED = {
  mcp: ['edit', 'feedback', 'forget', 'pin', 'save entries', 'task add', 'task done', 'undo', 'work done'],
  hub: [
    'confirm',
    'conflicts resolve',
    'edit',
    'feedback',
    'forget',
    'fresh fix',
    'pin',
    'project text save',
    'remember',
    'restore',
    'review accept',
    'review apply',
    'review dismiss',
    'review edit',
    'review reject',
    'save entries',
    'seed save',
    'seed vault add',
    'seed vault delete',
    'seed vault edit',
    'task add',
    'task done',
    'undo',
    'work done',
  ],
  commandLine: [
    'agent enable',
    'backup restore',
    'confirm',
    'conflicts resolve',
    'edit',
    'embedder allow',
    'feedback',
    'forget',
    'fresh',
    'hot demote',
    'hot promote',
    'import',
    'migrate',
    'model allow',
    'obsidian resolve',
    'pin',
    'remember',
    'restore',
    'review accept',
    'review apply',
    'review dismiss',
    'review edit',
    'review reject',
    'save',
    'source allow',
    'task add',
    'task done',
    'trust',
    'undo',
    'work done',
  ],
}
const changing = Object.keys(CASES)
const CONTRACT_ROUTES = Object.entries(CONTRACT) as [RouteName, Route | StreamRoute][]

const verbs = new Map<string, AgentRuleOf>()
async function ruleOf(verb: string): Promise<AgentRuleOf> {
  if (verbs.size === 0) {
    const routes = [...Object.values(CONTRACT), ...Object.values(HUB_CONTRACT)] as (Route | StreamRoute)[]
    for (const load of [...Object.values(OPERATIONS), ...routes.map(route => route.load)]) {
      const { name, agent } = await load()
      verbs.set(name, agent)
    }
  }
  const rule = verbs.get(verb)
  if (rule === undefined) throw new Error(`no verb ${verb}`)
  return rule
}

describe('What an agent may do', () => {
  it('has a case here for every verb that an agent may not use freely', async () => {
    await ruleOf('remember')
    const kinds = ['candidate', 'own', 'person']
    const needed = [...verbs].flatMap(([verb, rule]) =>
      typeof rule === 'function' || kinds.includes(rule) ? [verb] : [],
    )
    expect(Object.keys(CASES).sort()).toEqual(needed.sort())
  })
})

describe('An agent over MCP, with all tools', () => {
  let surface: Surface
  const world = makeWorld()
  beforeAll(() => {
    const engine = composeEngine({ root: world.root, actor: { host: 'mcp', agent: 'dev' } })
    surface = {
      engine,
      offered: new Set(),
      async ask(verb, input) {
        if (verb === 'work done') {
          const { lease, result, remember: kept } = input
          const tool = findTool('work_report', true)
          if (tool === undefined) throw new Error('no work_report')
          const report = { lease, action: 'done', text: result, remember: kept }
          return codeOf(() => callTool(engine, tool, report))
        }
        for (const row of Object.values(TOOLS)) {
          if (!('verbs' in row)) continue
          const loaded = Object.entries(row.verbs).map(
            async ([action, load]) => [action, await load()] as const,
          )
          const [action] = (await Promise.all(loaded)).find(([, { name }]) => name === verb) ?? []
          if (action === undefined) continue
          const hasActions = Object.keys(row.verbs).length > 1
          return codeOf(() => callTool(engine, row, { ...(hasActions && { action }), ...input }))
        }
        return undefined
      },
    }
  })
  afterAll(async () => {
    await surface.engine.close()
    world.remove()
  })
  for (const verb of changing) it(verb, () => tryVerb(surface, verb), 60_000)
  it('was tried with every verb that it offers', () =>
    expect([...surface.offered].sort()).toEqual(OFFERED.mcp))
})

describe('An agent with a token of a hub', () => {
  let surface: Surface
  let world: HubWorld
  beforeAll(async () => {
    world = await hubWorld({ projects: ['shop'] })
    const token = await world.token('admin', 'shop', { name: 'bot', kind: 'agent' })
    const project = await world.hub.directory.findProject('shop')
    if (project === undefined) throw new Error('the project is missing')
    const nameByVerb = new Map<string, RouteName>()
    for (const [name, route] of CONTRACT_ROUTES) nameByVerb.set((await route.load()).name, name)
    surface = {
      engine: world.hub.engineOf(project),
      offered: new Set(),
      async ask(verb, input) {
        const name = nameByVerb.get(verb)
        if (name === undefined || hubAccessOf(name) === 'not_on_hub') return undefined
        const { body } = await world.ask(name, { project: 'shop', token, fields: { ...input } })
        return (body.code as string | undefined) ?? 'done'
      },
    }
  }, 180_000)
  afterAll(() => world.end(), 60_000)
  for (const verb of changing) it(verb, () => tryVerb(surface, verb), 60_000)
  it('was tried with every verb that it offers', () =>
    expect([...surface.offered].sort()).toEqual(OFFERED.hub))

  it('creates tokens only for agents', async () => {
    const boss = await world.token('admin', '*', { name: 'boss-bot', kind: 'agent' })
    const add = async (fields: Fields) =>
      (await world.askHub('hubTokenAdd', { token: boss, fields: { project: ['shop'], ...fields } })).body.code
    expect(await add({ name: 'somebody', kind: 'user' })).toBe('scope_missing')
    await world.token('read', 'shop', { name: 'ana' })
    expect(await add({ name: 'ana' })).toBe('scope_missing')
    expect(await add({ name: 'ci-bot' })).toBe(undefined)
  })
})

describe('An agent at the command line, which says so by CAIRN_AGENT', () => {
  it(
    'is treated as over MCP',
    inWorld(async world => {
      const engine = composeEngine({ root: world.root })
      world.write(
        'save.json',
        JSON.stringify({ entries: [{ statement: 'The savedfile service listens on port 8080.' }] }),
      )
      const surface: Surface = {
        engine,
        offered: new Set(),
        async ask(verb, input) {
          const load = OPERATIONS[verb]
          if (load === undefined) return undefined
          const { positionals } = await load()
          const flags = Object.entries(input).flatMap(([name, value]) => {
            const flag = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
            if (positionals.includes(name)) return []
            return typeof value === 'boolean'
              ? [`--${value ? '' : 'no-'}${flag}`]
              : [`--${flag}`, String(value)]
          })
          const given = positionals.flatMap(name => (input[name] === undefined ? [] : [input[name]].flat()))
          const run = await world.cairn([...verb.split(' '), '--json', ...flags, ...given.map(String)], {
            env: { CAIRN_AGENT: 'shared', CAIRN_HOST: 'codex' },
          })
          const answer = JSON.parse(run.stdout) as { error?: { code: string } }
          return answer.error?.code ?? 'done'
        },
      }
      try {
        for (const verb of changing) await tryVerb(surface, verb)
        expect([...surface.offered].sort()).toEqual(OFFERED.commandLine)
      } finally {
        await engine.close()
      }
    }),
    300_000,
  )

  it(
    'does not confirm by a flag',
    inWorld(async world => {
      const env = { CAIRN_AGENT: 'dev' }
      const refused = async (...typed: string[]) => {
        const { stdout } = await world.cairn([...typed, '--json'], { env })
        return (JSON.parse(stdout) as { error?: { code: string } }).error?.code
      }
      for (const status of ['confirmed', 'pinned'])
        expect(await refused('remember', 'Deploys wait for the smoke tests.', '--status', status)).toBe(
          'not_confirmed',
        )
      const { entry } = await world.json('remember', 'Deploys wait for the smoke tests.')
      expect(await refused('edit', entry.id, '--status', 'candidate')).toBe('not_confirmed')
      expect(await refused('edit', entry.id, '--importance', '0.1')).toBe('not_confirmed')
    }),
  )
})
