import {
  type Bundle,
  type BundleCheckpoint,
  type ProjectState,
  STATE_VERSION,
} from '../../src/kernel/model/bundle.ts'
import { bundleHashOf } from '../../src/kernel/system/digest.ts'

/** A small project that sells stones. */
export const SHOP: Bundle = {
  project: { name: 'shop', description: 'Sells stones.' },
  projectMap: {
    languages: [{ name: 'TypeScript', files: 41 }],
    packages: [{ name: 'shop', path: '.', kind: 'npm' }],
    entryPoints: [{ path: 'src/main.ts', what: 'bin shop' }],
    scripts: [{ name: 'test', command: 'vitest run', path: 'package.json' }],
    folders: [{ path: 'src', files: 30 }],
  },
  currentFocus: [
    {
      text: 'Move the sessions to Redis',
      since: '2026-03-16T10:00:00.000Z',
      sources: ['event:e1'],
      files: ['src/session.ts'],
    },
  ],
  gotchas: [
    {
      text: 'Never edit the auth middleware; extend it by hooks.',
      since: '2026-03-01T10:00:00.000Z',
      sources: [],
    },
  ],
  nextSteps: [
    { text: 'Write the migration of old sessions', since: '2026-03-16T10:00:00.000Z', sources: [] },
    { text: 'Rotate the signing key', since: '2026-03-15T10:00:00.000Z', sources: [] },
  ],
  validationCommands: [
    { command: 'npm test', lastOutcome: 'failed', lastRunAt: '2026-03-16T10:00:00.000Z', sources: [] },
  ],
}

/** `state.json` of a bundle, as recall leaves it. */
export function stateText(bundle: Bundle): string {
  const state: ProjectState = {
    schemaVersion: STATE_VERSION,
    generatorVersion: '0.1.0',
    provider: 'rules',
    generatedAt: '2026-03-16T11:00:00.000Z',
    bundleHash: bundleHashOf(bundle),
    bundle,
    maintenance: {
      lastRecalledAt: null,
      lastRecalledEventId: null,
      latestCheckpointId: null,
      historyEventCount: 0,
      importSourceCount: 0,
      recallCursors: {},
    },
  }
  return `${JSON.stringify(state, null, 2)}\n`
}

export function checkpointText(id: string, createdAt: string, bundle: Bundle): string {
  const checkpoint: BundleCheckpoint = {
    schemaVersion: STATE_VERSION,
    id,
    createdAt,
    bundleHash: bundleHashOf(bundle),
    reason: 'recall',
    bundle,
  }
  return `${JSON.stringify(checkpoint, null, 2)}\n`
}
