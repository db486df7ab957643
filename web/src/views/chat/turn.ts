/** One command and its answer so far. */
export interface Turn {
  readonly command: string
  readonly parts: readonly TurnPart[]
  readonly state: 'running' | 'failed'
  /** The session contains the turn already. Only its failure is still shown. */
  readonly isKept?: boolean
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string }
}

export type TurnPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly input?: string }
  | { readonly kind: 'remark'; readonly text: string }

/** The brief injected before the command. */
export interface InjectedBrief {
  readonly tokens: number
  readonly items: readonly { readonly id?: string; readonly tier: string; readonly tokens: number }[]
  readonly persona?: string | null
  readonly degraded?: readonly { readonly code: string; readonly message: string }[]
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The events of `POST /api/agents/command`. */
export type AgentEvent =
  | {
      readonly event: 'chat'
      readonly data: {
        readonly session: string
        readonly chatId?: string
        readonly host: string
        readonly agentId: string
      }
    }
  | { readonly event: 'brief'; readonly data: InjectedBrief }
  | { readonly event: 'text'; readonly data: { readonly text: string } }
  | { readonly event: 'tool'; readonly data: { readonly name: string; readonly input?: string } }
  | { readonly event: 'remark'; readonly data: { readonly text: string } }
  | {
      readonly event: 'done'
      readonly data: {
        readonly text: string
        readonly chatId: string | null
        readonly session: string
        readonly usage?: Usage
        readonly isStopped?: boolean
      }
    }

/** Consecutive texts are joined into one part. A tool run separates them. */
export function withEvent(turn: Turn, event: AgentEvent): Turn {
  const add = (part: TurnPart): Turn => ({ ...turn, parts: [...turn.parts, part] })
  switch (event.event) {
    case 'text': {
      const last = turn.parts.at(-1)
      if (last?.kind !== 'text') return add({ kind: 'text', text: event.data.text })
      const grown = { kind: 'text' as const, text: last.text + event.data.text }
      return { ...turn, parts: [...turn.parts.slice(0, -1), grown] }
    }
    case 'tool':
      return add({ kind: 'tool', ...event.data })
    case 'remark':
      return add({ kind: 'remark', text: event.data.text })
    default:
      return turn
  }
}
