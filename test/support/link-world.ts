import { mkdirSync } from 'node:fs'
import * as path from 'node:path'
import { onTestFinished } from 'vitest'
import { linkHub } from '../../src/addons/link/link-hub.ts'
import { type HubSync, type HubSyncOptions, syncWithHub } from '../../src/addons/link/sync-with-hub.ts'
import { type ComposeOptions, composeEngine } from '../../src/compose/compose.ts'
import type { Composed, ComposedCheckout } from '../../src/compose/composed.ts'
import { changeEntry, remember } from '../../src/features/entries/write-entries.ts'
import type { Entry } from '../../src/kernel/model/entry.ts'
import type { NewEntry } from '../../src/kernel/model/new-entry.ts'
import { type HubWorld, type HubWorldOptions, hubWorld } from './hub-world.ts'
import { scratchProject } from './scratch-project.ts'

/** A repository of somebody, linked to the project `shop` of a hub. */
export interface Clone {
  readonly project: string
  readonly engine: ComposedCheckout
  keep(entry: string | NewEntry): Promise<Entry>
  edit(id: string, change: Partial<Entry>): Promise<unknown>
  forget(id: string): Promise<unknown>
  sync(options?: HubSyncOptions): Promise<HubSync>
  all(): Promise<readonly Entry[]>
  texts(): Promise<string[]>
}

export interface LinkWorld {
  readonly hub: HubWorld
  readonly token: string
  clone(name: string, options?: Partial<ComposeOptions> & { readonly url?: string }): Promise<Clone>
  onHub(): Promise<readonly Entry[]>
  textsOnHub(): Promise<string[]>
}

export async function linkWorld(options: HubWorldOptions = {}): Promise<LinkWorld> {
  const place = scratchProject()
  const before = process.env.CAIRN_HOME
  process.env.CAIRN_HOME = path.join(place, 'home')
  const hub = await hubWorld({ projects: ['shop'], ...options })
  onTestFinished(async () => {
    await hub.end()
    if (before === undefined) delete process.env.CAIRN_HOME
    else process.env.CAIRN_HOME = before
  })
  const token = await hub.token('write', 'shop')
  const engineOnHub = async () => {
    const project = (await hub.hub.directory.projects()).find(({ name }) => name === 'shop')
    if (project === undefined) throw new Error('the hub has its project')
    return hub.hub.engineOf(project)
  }
  const onHub = async () => entriesOf(await engineOnHub())
  return {
    hub,
    token,
    async clone(name, { url = hub.address, ...given } = {}) {
      const project = path.join(place, name)
      mkdirSync(project, { recursive: true })
      const engine = composeEngine({ root: project, actor: { host: 'test' }, ...given })
      onTestFinished(() => engine.close())
      await engine.store.exclusively(() => undefined)
      await engine.projects.register(project, { by: 'trust' })
      await linkHub(engine, { url, project: 'shop', token, isInsecure: false })
      return cloneOf(project, engine)
    },
    onHub,
    textsOnHub: async () => (await onHub()).map(({ content }) => content).sort(),
  }
}

function cloneOf(project: string, engine: ComposedCheckout): Clone {
  return {
    project,
    engine,
    async keep(entry) {
      const [kept] = await remember(engine, [typeof entry === 'string' ? { content: entry } : entry])
      if (kept === undefined) throw new Error('one in, one out')
      return kept.entry
    },
    edit: (id, change) => changeEntry(engine, id, 'update', entry => ({ ...entry, ...change })),
    forget: id => changeEntry(engine, id, 'remove', () => null),
    sync: given => syncWithHub(engine, given),
    all: () => entriesOf(engine),
    texts: async () => (await entriesOf(engine)).map(({ content }) => content).sort(),
  }
}

export async function entriesOf(engine: Composed): Promise<readonly Entry[]> {
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 1_000_000, offset: 0 })
  return [...entries].sort((a, b) => (a.id < b.id ? -1 : 1))
}
