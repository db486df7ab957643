import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGENT_HOSTS, type AgentHost } from '../../kernel/model/agent-run.ts'
import { lineSplitter } from '../../kernel/system/line-splitter.ts'
import { HOSTS } from '../hosts.ts'
import type { HostEvent } from './decide/host-event.ts'
import { hostLines } from './decide/host-event.ts'
import type { HostProgram } from './decide/host-program.ts'
import { OUTPUT_LIMITS } from './run-host.ts'

const FOLDER = new URL('../../../test/recorded/agent-streams/', import.meta.url)
const STREAMS = readdirSync(FOLDER).map(name => ({
  host: AGENT_HOSTS.find(host => name.startsWith(host)) as AgentHost,
  bytes: readFileSync(new URL(name, FOLDER)),
}))

const loaded = await Promise.all(AGENT_HOSTS.map(async host => [host, await HOSTS[host].program()] as const))
const programs = Object.fromEntries(loaded) as Record<AgentHost, HostProgram>

function readAll(host: AgentHost, chunks: readonly Uint8Array[]): HostEvent[] {
  const splitter = lineSplitter(OUTPUT_LIMITS.lineBytes)
  const lines = hostLines(programs[host].events())
  return [
    ...chunks.flatMap(chunk => splitter.push(chunk)).flatMap(({ text }) => lines.read(text)),
    ...splitter.end().flatMap(({ text }) => lines.read(text)),
    ...lines.end(),
  ]
}

function chunked(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let at = 0
  for (let n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

describe('what a host prints', () => {
  it('says the same however its bytes arrive', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.constantFrom(...STREAMS), sizes, ({ host, bytes }, cuts) => {
        expect(readAll(host, chunked(bytes, cuts))).toEqual(readAll(host, [bytes]))
      }),
      { numRuns: 200 },
    )
  })

  it('is read whatever it is, and every line that is no event is kept as a remark', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ type: fc.string(), session_id: fc.anything(), part: fc.anything() })
        .map(value => JSON.stringify(value) ?? ''),
    )
    fc.assert(
      fc.property(fc.constantFrom(...AGENT_HOSTS), fc.array(line), (host, lines) => {
        const plain = lines.map(each => each.replaceAll('\n', ' '))
        const events = readAll(host, [Buffer.from(plain.join('\n'))])
        const garbage = plain.filter(each => each.trim() !== '' && !isEvent(each))
        const remarks = events.flatMap(event => (event.kind === 'remark' ? [event.text] : []))
        for (const each of garbage) expect(remarks).toContain(asDecoded(each).trim().slice(0, 500))
      }),
    )
  })
})

/** As it comes out of bytes: half a pair of surrogates is no character. */
function asDecoded(text: string): string {
  return Buffer.from(text).toString('utf8')
}

function isEvent(line: string): boolean {
  try {
    const value: unknown = JSON.parse(asDecoded(line))
    return (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      typeof (value as { type?: unknown }).type === 'string'
    )
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
