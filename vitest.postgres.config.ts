import { defineConfig } from 'vitest/config'

/** On a PostgreSQL server: `npm run test:postgres`. The default run has the same tests in process, but for those that need several connections. */
export default defineConfig({
  test: {
    include: [
      'test/contract/postgres*.test.ts',
      'test/postgres/**/*.test.ts',
      'test/hub/**/*.test.ts',
      'test/postgres-server/**/*.test.ts',
    ],
    pool: 'threads',
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: '100%',
    globalSetup: [
      'test/support/temporary-in-memory.mjs',
      'test/support/scratch-home.mjs',
      'test/support/build-model.mjs',
    ],
  },
})
