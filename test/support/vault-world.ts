import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { onTestFinished } from 'vitest'
import { linkObsidian } from '../../src/addons/obsidian/link-vault.ts'
import { type ComposeOptions, composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import type { Entry } from '../../src/kernel/model/entry.ts'
import type { NewEntry } from '../../src/kernel/model/new-entry.ts'
import { scratchProject } from './scratch-project.ts'

/** A trusted project, a user's folder and an Obsidian vault that is linked to it. */
export interface VaultWorld {
  readonly project: string
  readonly vault: string
  /** The synced folder. */
  readonly folder: string
  readonly engine: ComposedCheckout
  open(options?: Partial<ComposeOptions>): ComposedCheckout
  keep(entry: string | NewEntry): Promise<Entry>
  /** Below the synced folder. */
  notes(): string[]
  /** The one note whose name holds this. */
  note(part: string): string
  read(note: string): string
  write(note: string, text: string): void
  remove(note: string): void
  trash(): string[]
}

export async function vaultWorld({ isLinked = true } = {}): Promise<VaultWorld> {
  const place = scratchProject()
  const before = process.env.CAIRN_HOME
  process.env.CAIRN_HOME = path.join(place, 'home')
  onTestFinished(() => {
    if (before === undefined) delete process.env.CAIRN_HOME
    else process.env.CAIRN_HOME = before
  })
  const [project, vault] = [path.join(place, 'shop'), path.join(place, 'notes')]
  mkdirSync(project)
  mkdirSync(path.join(vault, '.obsidian'), { recursive: true })
  const open = (options: Partial<ComposeOptions> = {}) => {
    const engine = composeEngine({ root: project, actor: { host: 'test' }, ...options })
    onTestFinished(() => engine.close())
    return engine
  }
  const engine = open()
  const keep = async (entry: string | NewEntry) => {
    const [kept] = await remember(engine, [typeof entry === 'string' ? { content: entry } : entry])
    if (kept === undefined) throw new Error('one in, one out')
    return kept.entry
  }
  await keep({ content: 'The first decision.', agent: 'dev', kind: 'decision' })
  await engine.projects.register(project, { by: 'trust' })
  if (isLinked) await linkObsidian(engine, { vault })
  const folder = path.join(vault, 'Cairn', 'shop')
  const below = (at: string): string[] =>
    existsSync(at)
      ? readdirSync(at, { recursive: true, encoding: 'utf8' })
          .map(name => name.split(path.sep).join('/'))
          .filter(name => name.endsWith('.md'))
          .sort()
      : []
  return {
    project,
    vault,
    folder,
    engine,
    open,
    keep,
    notes: () => below(folder),
    note(part) {
      const found = below(folder).filter(name => name.includes(part))
      if (found.length !== 1) throw new Error(`${part}: ${found.join(', ')}`)
      return found[0] as string
    },
    read: note => readFileSync(path.join(folder, note), 'utf8'),
    write(note, text) {
      mkdirSync(path.dirname(path.join(folder, note)), { recursive: true })
      writeFileSync(path.join(folder, note), text)
    },
    remove: note => rmSync(path.join(folder, note)),
    trash: () => below(path.join(vault, '.trash')),
  }
}
