import { parseAgentId } from '../model/agent-id.ts'
import { withoutSecret } from './redaction/without-secret.ts'

/** The id of an agent that a caller named. Checked as it was typed: a key in lower case is not recognised any more. */
export function parseAgentName(text: string): string {
  return parseAgentId(withoutSecret('agent', text))
}
