import { expect, onTestFinished, test } from 'vitest'
import { scratchProject } from '../../../test/support/scratch-project.ts'
import { composeEngine } from '../../compose/compose.ts'
import { changeEntry, remember } from '../../features/entries/write-entries.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { versionHash } from '../../kernel/system/digest.ts'
import { printOfEntry } from './decide/shared-entry.ts'
import { journalVersions } from './journal-versions.ts'

const printOf = (entry: Entry) => printOfEntry(entry, versionHash)

async function memory() {
  const engine = composeEngine({ root: scratchProject(), actor: { host: 'test' } })
  onTestFinished(() => engine.close())
  const keep = async (content: string) => {
    const [kept] = await remember(engine, [{ content }])
    if (kept === undefined) throw new Error('one in, one out')
    return kept.entry
  }
  const edit = (id: string, content: string) =>
    changeEntry(engine, id, 'update', entry => ({ ...entry, content }))
  return { engine, keep, edit }
}

test('asked again, the journal is known up to where it was walked, and what came since counts', async () => {
  const { engine, keep, edit } = await memory()
  const redis = await keep('Sessions live in Redis.')
  const { hadSince } = journalVersions(engine)
  const never = { id: 'never-here', print: 'x', agreed: undefined }
  expect(await hadSince([never])).toEqual(new Set())
  const heron = await keep('The staging server is heron.')
  await edit(redis.id, 'Sessions live in Postgres.')
  const questions = [redis, heron].map(entry => ({ id: entry.id, print: printOf(entry), agreed: undefined }))
  expect(await hadSince([never, ...questions])).toEqual(new Set([redis.id, heron.id]))
  expect(await hadSince([never])).toEqual(new Set())
  expect(await hadSince(questions)).toEqual(new Set([redis.id, heron.id]))
})

test('what was here before the version that was agreed does not count', async () => {
  const { engine, keep, edit } = await memory()
  const before = await keep('Sessions live in Redis.')
  await edit(before.id, 'Sessions live in Postgres.')
  const agreed = await engine.store.findEntry(before.id)
  if (agreed === undefined) throw new Error('it is there')
  await edit(before.id, 'Sessions live in files.')
  const { hadSince, formerly } = journalVersions(engine)
  const question = { id: before.id, print: printOf(before), agreed: printOf(agreed) }
  expect(await hadSince([question])).toEqual(new Set())
  expect(await hadSince([{ ...question, agreed: undefined }])).toEqual(new Set([before.id]))
  const now = await engine.store.findEntry(before.id)
  expect(await formerly([question])).toEqual(new Map([[before.id, [printOf(now as Entry)]]]))
})
