import type { HostId } from '../kernel/model/host.ts'
import type { BriefFormat } from '../kernel/model/selection.ts'
import type { HostHook } from './hooks/decide/hook-event.ts'
import type { PayloadFields, PayloadNames } from './hooks/decide/payload-fields.ts'
import type { ReportedRun, ToolOutcome } from './hooks/decide/tool-outcome.ts'
import type { TranscriptEvent } from './hooks/decide/transcript-event.ts'
import type { HostIntegration } from './install/decide/host-integration.ts'
import type { HostProgram } from './run/decide/host-program.ts'
import type { TranscriptFormat } from './transcripts/decide/transcript-format.ts'

/**
 * Everything that differs between hosts. `src/hosts/<host>/adapter.ts` exports one, `hosts.ts` lists them, and all other code is written
 * over this contract; `host-adapter.test.ts` checks each of them.
 *
 * What a hook needs while the user waits is here. What is only needed to install, to read transcripts or to run the host's program is
 * loaded on demand, so that the bundle of the hook does not contain it.
 */
export interface HostAdapter {
  /** It is part of commands in hosts' files and of stored data, so it never changes. */
  readonly id: HostId
  /** Names of its program on the PATH. */
  readonly programs: readonly string[]
  /** It can be started from a desktop, whose PATH may be shorter than that of a terminal. */
  readonly hasDesktopApp?: true
  /** The format that it reads best, and how many characters it takes (HOSTS.md has the evidence). */
  readonly brief: { readonly format: BriefFormat; readonly maxCharacters?: number }
  /** What its agents call the tool `remember` of the MCP server `cairn`. */
  readonly rememberTool: string
  /**
   * Whether a user is present in this run; undefined: there is no sign of it. `transcriptStart` is the start of the transcript, where
   * there is one. Absent: this host gives no sign.
   */
  readonly isAttended?: (signs: RunSigns, transcriptStart: string | undefined) => boolean | undefined
  readonly hooks: HostHooks
  readonly install: () => Promise<HostIntegration>
  /** The sizes of its transcripts are numbers of messages, not bytes. */
  readonly countsMessages?: true
  readonly transcripts: () => Promise<TranscriptFormat>
  /** Absent: it has no program that answers one prompt without a screen and continues a chat. */
  readonly program?: () => Promise<HostProgram>
}

/** How a host calls hooks, what it reports to them, and what it reads from them. */
interface HostHooks {
  /**
   * Every hook that is installed, in an order that never changes: Codex identifies a trusted hook by its position and its text. New ones
   * go to the end. The matchers name tools that change something or run something.
   */
  readonly events: readonly HostHook[]
  readonly names: PayloadNames
  /** How a tool run ended. */
  readonly outcomeOf: (run: ReportedRun) => ToolOutcome
  readonly answer: HookAnswerForm
  /** The event at which it accepts a question instead of ending the turn. Only where it was seen to continue once and then to end. */
  readonly questionEvent?: string
  /** Slash commands that its hook answers in place of the model. Only where it was seen to end a prompt on the word of a hook. */
  readonly commands?: TypedCommands
  /** From which version on its MCP client was seen to call a tool as a prompt hook. */
  readonly toolHooks?: { readonly client: RegExp; readonly since: readonly number[] }
  /** The start brief goes with the first prompt instead of with the start of the session. */
  readonly startsWithPrompt?: true
  /**
   * What a `compact` event means.
   *
   *   certain     the context is compacted now
   *   restarts    likewise, and a `start` event with the source `compact` follows
   *   each-turn   it comes before every turn; only one that the user asked for is certain
   */
  readonly compaction: 'certain' | 'restarts' | 'each-turn'
  /** The other host that runs the hooks written for this one; undefined: this host itself, or it is not certain. */
  readonly otherCaller?: (payload: PayloadFields, signs: CallerSigns) => HostId | undefined
  /** One line of the transcript that its payloads name. Absent: it has no such file, or its payloads are enough. */
  readonly readLine?: (line: PayloadFields, isOfSubAgent: boolean) => TranscriptEvent | undefined
  /** What a line of its transcript says about how full the context is; `mark` is a text that only such lines have. */
  readonly contextUsage?: {
    readonly mark: string
    readonly read: (line: PayloadFields) => ContextUsage | undefined
  }
  /** The exit codes of these calls, from lines of its transcript, where its payloads do not have them. */
  readonly exitCodes?: (lines: readonly string[], calls: ReadonlySet<string>) => ReadonlyMap<string, number>
}

/** What a hook prints. */
interface HookAnswerForm {
  /** The events at which this host reads an answer. */
  readonly events: ReadonlySet<string>
  readonly print: (event: string, context: string) => unknown
  /** Where the context is in that. */
  readonly contextPath: readonly string[]
}

interface TypedCommands {
  /** What such a command begins with. */
  readonly sigils: '/' | '/$'
  /** Where the host looks for a command named `%`, relative to a project or to the home folder. */
  readonly places: readonly string[]
  /** The variable that moves the first folder of such a place. */
  readonly folderVariable: string
}

export interface ContextUsage {
  readonly used: number
  readonly window: number
}

/** What a process can see of the run that it belongs to. */
export interface RunSigns {
  readonly isCi: boolean
  /** Claude Code says whether a user is present. */
  readonly isClaudeAttended: boolean | undefined
}

/** What a process can see of the program that started it. */
export interface CallerSigns {
  /** CLAUDECODE or CLAUDE_CODE_SESSION_ID is set. */
  readonly isClaudeCode: boolean
  /** CURSOR_VERSION is set. */
  readonly isCursor: boolean
  /** COPILOT_CLI is set. It stays set in what Copilot starts, including a Claude Code in its shell. */
  readonly isCopilot: boolean
}
