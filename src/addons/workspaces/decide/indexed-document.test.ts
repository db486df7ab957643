import { expect, it } from 'vitest'
import type { WorkspaceDocument } from '../../../kernel/model/workspace.ts'
import { indexedDocument, MAX_INDEXED_CHARACTERS } from './indexed-document.ts'

const PLAN: WorkspaceDocument = {
  id: 'plan:devtools/260208-engine',
  kind: 'plan',
  scope: { workspace: 'devtools' },
  title: 'Workflow Engine',
  text: 'Run task graphs.',
  tags: ['Nest JS', '#queue', 'queue'],
  status: 'in_progress',
  date: '2026-02-08',
  path: 'resources/workspaces/devtools/_plans/260208-engine.md',
}

it('is searched by title, text, tags, kind, status and date, and by nothing of where it lies', () => {
  const { text, entry, isCut } = indexedDocument(PLAN, 'p')
  expect(text).toMatchObject({
    body: 'workflow engin run task graph',
    tags: 'nest js nestj queue',
    files: '',
    kind: 'plan in progress inprogress',
  })
  expect([entry.content, entry.tags, isCut]).toEqual([
    'Workflow Engine\n\nRun task graphs.',
    ['nest-js', 'queue'],
    false,
  ])
})

it('says its title once, and not at all where its scope stands for one', () => {
  const content = (document: Partial<WorkspaceDocument>) =>
    indexedDocument({ ...PLAN, ...document }, 'p').entry.content
  expect(content({ text: 'Workflow Engine — run task graphs.' })).toBe('Workflow Engine — run task graphs.')
  expect(content({ title: 'devtools' })).toBe('Run task graphs.')
})

it('is cut at its bound, never in the middle of a character', () => {
  const text = '😀'.repeat(MAX_INDEXED_CHARACTERS)
  const { entry, isCut } = indexedDocument({ ...PLAN, title: 'x', text }, 'p')
  expect([isCut, entry.content.length, entry.content.endsWith('😀')]).toEqual([
    true,
    MAX_INDEXED_CHARACTERS - 1,
    true,
  ])
})
