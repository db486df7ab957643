import { type Message, speakerOf } from '../../../kernel/model/message.ts'
import type { UntrustedSource } from '../../../kernel/model/provenance.ts'
import { ownText } from './spoken-text.ts'

/** A longer message was pasted. */
const MAX_TYPED = 3_000

const WEB_TOOL =
  /web_?(?:search|fetch|page|view)|fetch_?(?:web|url|page)|^fetch$|search_?(?:web|engine|internet)|scrape|crawl|tavily|firecrawl/i
/** Tools of an MCP server, `mcp__server__tool` or `mcp_server_tool`: their output comes from outside the project. */
const OUTSIDE_TOOL = /^mcp(?:_|:|\.)/i
const DOWNLOAD =
  /\b(?:curl|wget|lynx|http(?:ie)?)\b[^|;&\n]{0,200}\bhttps?:\/\/(?!localhost\b|127\.|0\.0\.0\.0|\[::1\])/i

/**
 * Whether the session contained text from outside the project: a fetched page, output of another tool, or a pasted document. Returns
 * the first of these that applies; undefined: none.
 */
export function untrustedIn(messages: readonly Message[]): UntrustedSource | undefined {
  const found = new Set<UntrustedSource>()
  for (const { role, text, run, internal } of messages) {
    if (run !== undefined) {
      if (OUTSIDE_TOOL.test(run.tool) && !/cairn/i.test(run.tool)) found.add('tool')
      if (WEB_TOOL.test(run.tool) || DOWNLOAD.test(run.command ?? '')) found.add('web')
    } else if (internal !== true && speakerOf(role) === 'user' && ownText(text).length > MAX_TYPED)
      found.add('paste')
  }
  return (['web', 'tool', 'paste'] as const).find(source => found.has(source))
}
