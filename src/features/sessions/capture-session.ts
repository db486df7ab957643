import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import type { Config } from '../../kernel/model/config.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { SessionHead } from '../../kernel/model/session.ts'
import { pauses } from '../../kernel/system/pauses.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { captureMessage } from './decide/capture-message.ts'
import { checkSessionId } from './session-ids.ts'

const MAX_NAME_LENGTH = 200

/** An id that looks like a secret is refused because it becomes a file name; other text is redacted. */
export function captureHead(head: SessionHead, config: Config): SessionHead {
  const redaction = redactionOptions(config)
  const clean = (text: string) => redact(text, redaction).text.slice(0, MAX_NAME_LENGTH)
  const { session, agent, host, startedAt, parent, chat, model, source } = head
  if (redact(agent, redaction).redacted.length > 0) {
    throw new CairnError({
      code: 'agent_id_invalid',
      message: 'The name of the agent looks like a secret or an address. Nothing was written.',
      hint: 'Name the agent with --agent, and change the secret if it was shared.',
    })
  }
  return {
    session: checkSessionId(session, config),
    agent,
    host: clean(host),
    startedAt,
    ...(parent !== undefined && { parent: checkSessionId(parent, config) }),
    ...(chat !== undefined && chat !== '' && { chat: clean(chat) }),
    ...(model !== undefined && model !== '' && { model: clean(model) }),
    ...(source !== undefined && source !== '' && { source: clean(source) }),
  }
}

/** Removes private parts and secrets; `now` is the date for messages without one. */
export async function captureMessages(
  memory: Memory,
  messages: readonly Message[],
  { config, now }: { readonly config: Config; readonly now: string },
): Promise<{ readonly messages: Message[]; readonly redacted: number; readonly cut: number }> {
  const options = { config, root: rootOf(memory), now }
  let redacted = 0
  let cut = 0
  const net = async (text: string): Promise<string> => {
    if (!config['redaction.secondNet']) return text
    const second = await memory.secondNet(text)
    redacted += second.redacted.length
    return second.text
  }
  const captured: Message[] = []
  const pause = pauses()
  for (const message of messages) {
    await pause()
    const first = captureMessage(message, options)
    redacted += first.redacted
    if (first.isCut) cut++
    const { run } = first.message
    captured.push({
      ...first.message,
      text: await net(first.message.text),
      ...(run !== undefined && {
        run: {
          ...run,
          ...(run.command !== undefined && { command: await net(run.command) }),
          ...(run.output !== undefined && { output: await net(run.output) }),
        },
      }),
    })
  }
  return { messages: captured, redacted, cut }
}
