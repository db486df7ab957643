import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { inWorld } from '../e2e/world.ts'
import { gitRepository } from '../support/git-repository.ts'

const keysOf = (answer: object) => Object.keys(answer).sort()

test(
  'the answers about setting up and trust have these keys',
  inWorld(async world => {
    gitRepository(world.root)
    const init = await world.json<{ memory: object; hosts: object[]; changes: object[] }>(
      ...['init', '--yes', '--host', 'codex'],
    )
    expect(keysOf(init)).toEqual([
      'by',
      'changed',
      'changes',
      'checkout',
      'cloneOf',
      'failures',
      'hosts',
      'isDone',
      'isInPlace',
      'isRepository',
      'level',
      'memory',
      'movedAside',
      'remarks',
      'root',
      'shares',
    ])
    expect(keysOf(init.memory)).toEqual(['does', 'forgotten', 'look'])
    expect(keysOf(init.hosts[0] ?? {})).toEqual(['does', 'evidence', 'found', 'host', 'ownMemory', 'title'])
    expect(keysOf(init.changes[1] ?? {})).toEqual(['change', 'host', 'level', 'path', 'what'])
    const trust = await world.json<{ look: object }>('trust')
    expect(keysOf(trust)).toEqual(['isTrusted', 'look', 'movedAside', 'root', 'wasTrusted', 'why'])
    expect(keysOf(trust.look)).toEqual(['agents', 'entries', 'linksOut', 'newest', 'unread'])
    const { projects } = await world.json<{ projects: object[] }>('projects')
    expect(keysOf(projects[0] ?? {})).toEqual([
      'firstSeenAt',
      'id',
      'isOwn',
      'lastSeenAt',
      'name',
      'root',
      'sharedBy',
      'state',
      'trustedAt',
      'trustedBy',
    ])
    expect(keysOf(await world.json('projects', 'forget', 'project', '--dry-run'))).toEqual([
      'forgotten',
      'isDryRun',
    ])
    expect(keysOf(await world.json('untrust'))).toEqual(['root', 'wasTrusted'])
    expect(keysOf(await world.json('uninstall', '--dry-run'))).toEqual([
      'changed',
      'changes',
      'checkout',
      'failures',
      'forgets',
      'isDone',
      'isEverything',
      'isNothing',
      'keptFor',
      'left',
      'memory',
      'remarks',
      'root',
    ])
  }),
)

test(
  'the list of projects lies on disk like this',
  inWorld(async world => {
    gitRepository(world.root)
    await world.ok('init', '--yes', '--host', 'codex')
    const text = readFileSync(path.join(world.home, '.cairn', 'projects.json'), 'utf8')
    const { version, projects } = JSON.parse(text)
    expect(version).toBe(1)
    expect(text.split('\n')).toHaveLength(4)
    expect(keysOf(projects[0])).toEqual([
      'firstSeenAt',
      'folder',
      'gitFolder',
      'id',
      'lastSeenAt',
      'name',
      'repository',
      'root',
      'token',
      'trustedAt',
      'trustedBy',
    ])
    expect(readFileSync(path.join(world.root, '.memory/.vault/project-token'), 'utf8')).toBe(
      `${projects[0].token}\n`,
    )
  }),
)
