import { describe, expect, it } from 'vitest'
import { renderRegistries } from './support/registries.ts'

describe('the registries of verbs', () => {
  it('say what the definitions say (npm run generate writes them)', async () => {
    for (const [file, text] of Object.entries(await renderRegistries()))
      await expect(text).toMatchFileSnapshot(`../src/${file}`)
  })
})
