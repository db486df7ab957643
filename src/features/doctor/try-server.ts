import type { InstalledServer } from '../../hosts/install/decide/installed-calls.ts'
import type { HostId } from '../../kernel/model/host.ts'
import { openRpcConnection } from '../../kernel/system/json-rpc-lines.ts'
import type { DoctorCheck } from './check.ts'
import type { ScratchProject } from './scratch-project.ts'

const ANSWERS_WITHIN_MS = 10_000
const ENDS_WITHIN_MS = 3_000
const MAX_TOOL_BYTES = 4_096
const PROTOCOL = '2025-06-18'

/** Shakes hands with the server of a host's file, as the host would, and asks for its tools. */
export async function tryServer(
  host: HostId,
  server: InstalledServer,
  { scratch, version }: { readonly scratch: ScratchProject; readonly version: string },
): Promise<DoctorCheck[]> {
  const name = `${host} server`
  const line = [server.command, ...server.args].join(' ')
  const startedMs = performance.now()
  const talk = openRpcConnection([server.command, ...server.args], {
    cwd: scratch.root,
    environment: scratch.environment({}),
    timeoutMs: ANSWERS_WITHIN_MS,
  })
  const hello = (await talk.request('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'cairn-doctor', version },
  })) as { serverInfo?: { name?: string; version?: string } } | undefined
  const ms = performance.now() - startedMs
  talk.notify('notifications/initialized')
  const listed = (await talk.request('tools/list', {})) as { tools?: readonly unknown[] } | undefined
  const trouble = talk.trouble()
  const isOver = await talk.end(ENDS_WITHIN_MS)
  if (hello === undefined || listed?.tools === undefined)
    return [
      {
        name,
        result: 'failure',
        message: `${line} does not answer as an MCP server: ${trouble || 'it has no tools'}`,
        hint: `\`cairn init --host ${host}\` writes its entry anew.`,
      },
    ]
  const bytes = JSON.stringify(listed.tools).length
  const checks: DoctorCheck[] = []
  if (!isOver)
    checks.push({
      name,
      result: 'warning',
      message: `${line} went on running after its host had gone`,
      hint: 'It was ended now. Tell us which system this is.',
    })
  if (hello.serverInfo?.version !== undefined && hello.serverInfo.version !== version)
    checks.push({
      name,
      result: 'warning',
      message: `${line} is Cairn ${hello.serverInfo.version}, and this is ${version}`,
      hint: `\`cairn init --host ${host}\` has the host start this one.`,
    })
  if (checks.length > 0) return checks
  const large = bytes > MAX_TOOL_BYTES ? `, more than the ${MAX_TOOL_BYTES} of the usual set` : ''
  return [
    {
      name,
      result: 'ok',
      message: `answers after ${Math.round(ms)} ms with ${listed.tools.length} tools, ${bytes} bytes of a model's context${large}`,
    },
  ]
}
