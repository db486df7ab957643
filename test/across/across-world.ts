import { mkdirSync, realpathSync } from 'node:fs'
import * as path from 'node:path'
import { onTestFinished } from 'vitest'
import { entityOperation } from '../../src/addons/across/verbs/entity.ts'
import { everywhereOperation } from '../../src/addons/across/verbs/everywhere.ts'
import { metOperation } from '../../src/addons/across/verbs/met.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { embedWaiting } from '../../src/features/search/meaning.ts'
import type { NewEntry } from '../../src/kernel/model/new-entry.ts'
import { parseInput } from '../../src/verbs/operation.ts'
import { scratchProject } from '../support/scratch-project.ts'

type Fields = Record<string, unknown>

/** Several projects of one user, with a home of its own. */
export interface AcrossWorld {
  readonly base: string
  readonly home: string
  rootOf(name: string): string
  /** A project that this user trusts, with these entries. */
  project(name: string, ...entries: readonly (string | NewEntry)[]): Promise<string>
  /** Makes the vectors of a project. */
  embed(name: string): Promise<void>
  /** Somebody who stands in this project; closed when the test is over. */
  standIn(name: string, agent?: string): ComposedCheckout
  everywhere(query: string, fields?: Fields): ReturnType<typeof everywhereOperation.run>
  met(text: string, fields?: Fields): ReturnType<typeof metOperation.run>
  entity(name: string, fields?: Fields): ReturnType<typeof entityOperation.run>
}

/** Whoever asks stands in the project `here`. */
export function acrossWorld(): AcrossWorld {
  const base = realpathSync(scratchProject())
  const home = path.join(base, 'home')
  mkdirSync(home)
  process.env.CAIRN_HOME = home
  onTestFinished(() => {
    delete process.env.CAIRN_HOME
  })
  const rootOf = (name: string) => path.join(base, name)
  const standIn = (name: string, agent?: string) => {
    mkdirSync(rootOf(name), { recursive: true })
    const actor = { host: 'test', ...(agent !== undefined && { agent }) }
    const engine = composeEngine({ root: rootOf(name), isTyped: true, actor })
    onTestFinished(() => engine.close())
    return engine
  }
  return {
    base,
    home,
    rootOf,
    standIn,
    async project(name, ...entries) {
      mkdirSync(rootOf(name), { recursive: true })
      const engine = composeEngine({ root: rootOf(name), isTyped: true })
      await remember(
        engine,
        entries.map(each => (typeof each === 'string' ? { content: each } : each)),
      )
      await engine.close()
      return rootOf(name)
    },
    async embed(name) {
      const engine = composeEngine({ root: rootOf(name), isTyped: true })
      await embedWaiting(engine)
      await engine.close()
    },
    everywhere: (query, fields = {}) =>
      everywhereOperation.run(standIn('here'), parseInput(everywhereOperation, { query, ...fields }), {}),
    met: (text, fields = {}) =>
      metOperation.run(standIn('here'), parseInput(metOperation, { text, ...fields }), {}),
    entity: (name, fields = {}) =>
      entityOperation.run(standIn('here'), parseInput(entityOperation, { name, ...fields }), {}),
  }
}

/** `content — projects`, a line a hit. */
export function placesOf(answer: {
  readonly hits: readonly {
    readonly content: string
    readonly from: readonly { readonly project: { readonly name: string } }[]
  }[]
}): string[] {
  return answer.hits.map(
    ({ content, from }) => `${content} — ${from.map(each => each.project.name).join(', ')}`,
  )
}
