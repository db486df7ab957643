import { defineConfig } from 'vitest/config'

/** A bound for what hangs, not a measure of speed (that is bench/): processes of a machine under load are slow. */
const TIMEOUT_MS = 180_000
const SCRATCH = ['test/support/temporary-in-memory.mjs', 'test/support/scratch-home.mjs']
const MODEL = 'test/support/build-model.mjs'

/** Tests beside the code that need the embedding model, or git. */
const NOT_PURE = [
  'src/providers/**/*.test.ts',
  'src/compose/**/*.test.ts',
  'src/kernel/text/wordpiece.test.ts',
  'bench/merge-pairs.test.ts',
]
const WITH_DATABASE = [
  'test/contract/postgres*.test.ts',
  'test/postgres/**/*.test.ts',
  'test/hub/**/*.test.ts',
]
const WITH_BROWSER = ['test/page/**/*.test.ts']
const WITH_SERVER = ['test/postgres-server/**/*.test.ts']
const WITH_HOSTS = ['test/hosts/**/*.test.ts']

/** `npm run test:unit` runs the first lane, `npm test` the first four, `npm run test:postgres` the third and fifth, `npm run test:hosts` the last. */
const LANES = {
  unit: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'bench/**/*.test.ts'],
    exclude: NOT_PURE,
    globalSetup: SCRATCH,
  },
  integration: {
    include: [...NOT_PURE, 'test/**/*.test.ts'],
    exclude: [...WITH_DATABASE, ...WITH_BROWSER, ...WITH_SERVER, ...WITH_HOSTS],
    globalSetup: [...SCRATCH, MODEL],
  },
  postgres: { include: WITH_DATABASE, globalSetup: [...SCRATCH, MODEL] },
  page: {
    include: WITH_BROWSER,
    globalSetup: [...SCRATCH, MODEL],
    setupFiles: ['test/support/skip-without-browser.ts'],
    // A browser on a shared machine may get to something too late, once. Nothing else is tried again, and the report names what was.
    retry: { count: 1, condition: /\blocator\.\w+: Timeout \d+ms exceeded/ },
  },
  'postgres-server': { include: WITH_SERVER, globalSetup: [...SCRATCH, MODEL] },
  // The real programs are large and slow: one after the other, each file in a process of its own.
  hosts: {
    include: WITH_HOSTS,
    pool: 'forks' as const,
    isolate: true,
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
}

export default defineConfig({
  test: {
    // Most tests wait for processes that they started: one thread less than there are cores leaves half of a small machine idle.
    maxWorkers: '100%',
    projects: Object.entries(LANES).map(([name, lane]) => ({
      test: {
        name,
        // Every test builds its own small world in a temporary folder, so files may share a thread (12x faster here).
        pool: 'threads' as const,
        isolate: false,
        testTimeout: TIMEOUT_MS,
        hookTimeout: TIMEOUT_MS,
        ...lane,
      },
    })),
  },
})
