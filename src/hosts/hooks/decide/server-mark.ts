import type { HostId } from '../../../kernel/model/host.ts'

/**
 * What a running MCP server leaves in the user's folder while it can answer hooks: a file with its process id and a line feed,
 * named after the host's own process. A hook that the same host starts finds it by `$PPID`, without a process of its own and
 * without reading the payload. The session id cannot be used: Codex gives it neither to the server nor to the hook's environment, and
 * in Claude Code the two differ once a session is resumed.
 */
export function serverMark(host: HostId, hostProcessId: number | '$PPID'): string {
  return `run/${host}-${hostProcessId}.pid`
}
