import { defineConfig } from 'vitest/config'

/** The real programs: `npm run test:hosts`. They are large and slow, so they have a run of their own, one after the other. */
export default defineConfig({
  test: {
    include: ['test/hosts/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['verbose'],
  },
})
