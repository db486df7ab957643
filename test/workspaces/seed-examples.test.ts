import { expect, test } from 'vitest'
import {
  retrieveLearningsTool,
  retrieveOverviewTool,
  retrievePlansTool,
} from '../../src/addons/workspaces/verbs/workspace-tools.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { showOperation } from '../../src/features/entries/verbs/show.ts'
import { scratchProject } from '../support/scratch-project.ts'

/** The examples of the seed, sections 4.2.2 to 4.2.4: the files that they speak of, and the answers to the letter, with the `document_id` of its common rule everywhere. */
const WORLD = {
  'resources/workspaces/devtools/OVERVIEW.md': '(full workspace OVERVIEW.md content)\n',
  'resources/workspaces/devtools/common/OVERVIEW.md':
    '---\nname: DevTools Common\ndescription: Shared tools and utilities across all domains...\n---\n\n# Common\n',
  'resources/workspaces/devtools/common/_plans/260208-workflow-engine.md': `---
name: "Workflow Engine"
description: "Build a workflow execution engine for sequential and parallel task graphs"
status: done
created: 2026-02-08
updated: 2026-02-09
tags: [workflow, engine, xstate]
---

# Workflow Engine
`,
  'resources/workspaces/devtools/common/_plans/260223-spa-self-serve.md': `---
name: SPA Self-Serve from Feature Modules
description: Eliminate per-SPA boilerplate in server package
status: in_progress
created: 2026-02-23
tags:
  - nestjs
  - spa
  - architecture
---
`,
  'user/memory/workspaces/devtools/decisions.md': `### [2026-02-08] Chose xstate v5 for workflow state management

**Category:** architecture
**Tags:** workflow, state-management, xstate

actor model + strong TypeScript support

---
`,
  'user/memory/workspaces/devtools/lessons.md': `### [2026-02-23] pnpm strict isolation means require.resolve() must be called from the consuming package, not from a shared utility

**Category:** debugging
**Tags:** pnpm, nestjs, module-resolution

---
`,
}

async function withEngine<T>(work: (engine: ReturnType<typeof composeEngine>) => Promise<T>): Promise<T> {
  const engine = composeEngine({ root: scratchProject(WORLD) })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

test('retrieve_plans', async () => {
  const answer = await withEngine(engine =>
    retrievePlansTool.run(engine, { scope: { workspace: 'devtools' } }),
  )
  expect(answer).toBe(`plans:
  - name: "Workflow Engine"
    description: "Build a workflow execution engine for sequential and parallel task graphs"
    status: done
    created: "2026-02-08"
    updated: "2026-02-09"
    tags: [workflow, engine, xstate]
    _meta:
      document_path: "resources/workspaces/devtools/common/_plans/260208-workflow-engine.md"
      document_id: "260208-workflow-engine"

  - name: "SPA Self-Serve from Feature Modules"
    description: "Eliminate per-SPA boilerplate in server package"
    status: in_progress
    created: "2026-02-23"
    tags: [nestjs, spa, architecture]
    _meta:
      document_path: "resources/workspaces/devtools/common/_plans/260223-spa-self-serve.md"
      document_id: "260223-spa-self-serve"
`)
})

test('retrieve_plans with the filters of the seed', async () => {
  const names = (filters: { status?: ('done' | 'in_progress')[]; tags?: string[] }) =>
    withEngine(async engine => {
      const answer = await retrievePlansTool.run(engine, { scope: { workspace: 'devtools' }, filters })
      return [...answer.matchAll(/document_id: "(.*)"/g)].map(match => match[1])
    })
  expect(await names({ status: ['done', 'in_progress'] })).toEqual([
    '260208-workflow-engine',
    '260223-spa-self-serve',
  ])
  expect(await names({ status: ['done'] })).toEqual(['260208-workflow-engine'])
  expect(await names({ tags: ['workflow', 'nestjs'] })).toHaveLength(2)
  expect(await names({ tags: ['NestJS'] })).toEqual(['260223-spa-self-serve'])
  expect(await names({ tags: ['workflow'], status: ['in_progress'] })).toEqual([])
})

test('retrieve_overview', async () => {
  const answer = await withEngine(engine =>
    retrieveOverviewTool.run(engine, { scope: { workspace: 'devtools' } }),
  )
  expect(answer.slice(0, answer.indexOf('\nproblems:'))).toBe(`overviews:
  - scope: "devtools"
    tier: T1
    content: |
      (full workspace OVERVIEW.md content)
    _meta:
      document_path: "resources/workspaces/devtools/OVERVIEW.md"
      document_id: "overview:devtools"

  - scope: "devtools/common"
    tier: T0
    abstract: "Shared tools and utilities across all domains..."
    _meta:
      document_path: "resources/workspaces/devtools/common/OVERVIEW.md"
      document_id: "overview:devtools/common"
`)
  // The workspace's overview of this example has no front matter, which every OVERVIEW.md must have.
  expect(answer).toContain('problem: front_matter_missing')
})

test('retrieve_learnings', async () => {
  const answer = await withEngine(engine =>
    retrieveLearningsTool.run(engine, { scope: { workspace: 'devtools' } }),
  )
  expect(answer).toBe(`decisions:
  - content: "Chose xstate v5 for workflow state management — actor model + strong TypeScript support"
    date: "2026-02-08"
    category: architecture
    tags: [workflow, state-management, xstate]
    _meta:
      document_path: "user/memory/workspaces/devtools/decisions.md"
      document_id: "decision:devtools/2026-02-08-chose-xstate-v5-for-workflow-state-management"

lessons:
  - content: "pnpm strict isolation means require.resolve() must be called from the consuming package, not from a shared utility"
    date: "2026-02-23"
    category: debugging
    tags: [pnpm, nestjs, module-resolution]
    _meta:
      document_path: "user/memory/workspaces/devtools/lessons.md"
      document_id: "lesson:devtools/2026-02-23-pnpm-strict-isolation-means-require-resolve-must-be-called-f"
`)
})

test('retrieve_learnings with the filters of the seed', async () => {
  const ask = (filters: { tags?: string[]; category?: string }) =>
    withEngine(engine => retrieveLearningsTool.run(engine, { scope: { workspace: 'devtools' }, filters }))
  expect(await ask({ tags: ['pnpm', 'nestjs'] })).toContain('decisions: []')
  expect(await ask({ category: 'Architecture' })).toContain('lessons: []')
  expect(await ask({ category: 'debugging', tags: ['workflow'] })).toBe('decisions: []\n\nlessons: []\n')
})

test('the id of every answer shows its document', async () => {
  await withEngine(async engine => {
    const scope = { workspace: 'devtools' }
    const answers = await Promise.all([
      retrievePlansTool.run(engine, { scope }),
      retrieveOverviewTool.run(engine, { scope }),
      retrieveLearningsTool.run(engine, { scope }),
    ])
    const told = answers.flatMap(answer => [
      ...answer.matchAll(/document_path: "(.*)"\n +document_id: "(.*)"/g),
    ])
    expect(told).toHaveLength(6)
    for (const [, path, target = ''] of told)
      expect(await showOperation.run(engine, { target }, {})).toMatchObject({ document: { path } })
  })
})
