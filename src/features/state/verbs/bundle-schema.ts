import * as v from 'valibot'
import { BUNDLE_SECTIONS } from '../../../kernel/model/bundle.ts'

const sources = v.pipe(
  v.array(v.string()),
  v.readonly(),
  v.description('`event:…` and `entry:…` that it stands on'),
)
const itemsSchema = v.pipe(
  v.array(
    v.object({
      text: v.string(),
      since: v.pipe(v.string(), v.description('UTC: when it was first said')),
      sources,
      files: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
    }),
  ),
  v.readonly(),
)
const listOf = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(v.array(v.object(entries)), v.readonly())

export const bundleView = v.object({
  project: v.object({ name: v.string(), description: v.exactOptional(v.string()) }),
  projectMap: v.object({
    languages: listOf({ name: v.string(), files: v.number() }),
    packages: listOf({ name: v.string(), path: v.string(), kind: v.string() }),
    entryPoints: listOf({ path: v.string(), what: v.string() }),
    scripts: listOf({ name: v.string(), command: v.string(), path: v.string() }),
    folders: listOf({ path: v.string(), files: v.number() }),
  }),
  currentFocus: itemsSchema,
  gotchas: itemsSchema,
  nextSteps: itemsSchema,
  validationCommands: listOf({
    command: v.string(),
    lastOutcome: v.exactOptional(v.picklist(['passed', 'failed'])),
    lastRunAt: v.exactOptional(v.string()),
    sources,
  }),
})

export const changesView = v.pipe(
  listOf({
    section: v.picklist(BUNDLE_SECTIONS),
    change: v.picklist(['added', 'removed', 'changed']),
    text: v.string(),
    before: v.exactOptional(v.string()),
    why: v.exactOptional(v.string()),
  }),
  v.description('What is new, gone and different in the bundle'),
)
