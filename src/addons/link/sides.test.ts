import { expect, test } from 'vitest'
import type { Entry } from '../../kernel/model/entry.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { textOf } from './sides.ts'

test('a field of an entry is looked at with its name, which tells that it is a secret', () => {
  const entry = {
    id: '1773679871839-k3f9',
    content: 'The staging server is heron.',
    kind: 'note',
    tags: [],
    files: [],
    extra: { 'db-password': 'wetGranite7!' },
  } as unknown as Entry
  expect(redact(textOf(entry)).redacted).toHaveLength(1)
})
