import * as v from 'valibot'
import { MEMORY_PARTS, type MemoryPart } from '../../../kernel/layout.ts'
import { placeText } from '../../../kernel/memory-place.ts'
import { defineStream } from '../event-stream.ts'
import { cairnVersion } from './version.ts'

export const liveStream = defineStream({
  name: 'live',
  agent: 'reads',
  route: { at: 'GET /api/live', access: 'read' },
  summary: 'Events when a part of the memory changes',
  description:
    'Reports changes by this server, agents, the command line, an editor or git. An event only names the part that changed; request that part again. Changes before the stream was opened are not reported.',
  input: v.object({}),
  events: {
    hello: v.object({
      version: v.pipe(v.string(), v.description('Of Cairn')),
      root: v.pipe(v.string(), v.description('The project')),
    }),
    change: v.object({ parts: v.pipe(v.array(v.picklist(MEMORY_PARTS)), v.description('In no order')) }),
  },
  async *open(memory, _input, { signal }) {
    let waiting = new Set<MemoryPart>()
    let onNews: (() => void) | undefined
    let failure: { readonly error: unknown } | undefined
    const stop = await memory.changes.listen({
      onChange: parts => {
        for (const part of parts) waiting.add(part)
        onNews?.()
      },
      onFailure: error => {
        failure = { error }
        onNews?.()
      },
    })
    signal.addEventListener('abort', () => onNews?.(), { once: true })
    try {
      yield { event: 'hello', data: { version: cairnVersion(), root: placeText(memory) } }
      while (!signal.aborted) {
        if (waiting.size === 0)
          await new Promise<void>(resolve => {
            onNews = resolve
          })
        if (failure !== undefined) throw failure.error
        if (waiting.size === 0) continue
        const parts = [...waiting]
        waiting = new Set()
        yield { event: 'change', data: { parts } }
      }
    } finally {
      stop()
    }
  },
})
