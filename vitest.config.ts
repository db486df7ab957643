import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    // The real programs and a PostgreSQL server have runs of their own: vitest.hosts.config.ts, vitest.postgres.config.ts.
    exclude: ['test/hosts/**', 'test/postgres-server/**', 'node_modules/**'],
    // Every test builds its own small world in a temporary folder, so files may share a thread (12x faster here).
    pool: 'threads',
    isolate: false,
    // A bound for what hangs. Speed is measured in bench/: a machine that does something else makes walks of a hundred processes slow.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A browser on a shared machine may get to something too late, once. Nothing else is tried again, and the report names what was.
    retry: { count: 1, condition: /\blocator\.\w+: Timeout \d+ms exceeded/ },
    // Most tests wait for processes that they started: one thread less than there are cores leaves half of a small machine idle.
    maxWorkers: '100%',
    globalSetup: [
      'test/support/temporary-in-memory.mjs',
      'test/support/scratch-home.mjs',
      'test/support/build-model.mjs',
      'test/support/find-browser.mjs',
    ],
  },
})
