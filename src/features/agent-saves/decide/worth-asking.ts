import { type Message, speakerOf, type ToolRun } from '../../../kernel/model/message.ts'
import { foldText } from '../../../kernel/text/fold.ts'

/** Why a session is worth a question to its agent. */
export const ASK_REASONS = ['rule', 'correction', 'decision', 'check', 'long'] as const
export type AskReason = (typeof ASK_REASONS)[number]

/** A longer message was probably pasted. */
const MAX_TYPED_CHARACTERS = 1_500
const LONG_SESSION_PROMPTS = 5
const LONG_SESSION_RUNS = 40
const REPEATED_FAILURES = 2

/** Matches folded text: lower case, no accents. English and Portuguese. */
const RULE =
  /\b(?:always|never|from now on|going forward|in (?:the )?future|make sure|every time|whenever|must(?: not|n't)?|should(?: never|n't)|do(?: not|n't) (?:ever|use|add|touch|change|commit|push|create)|we (?:do(?: not|n't)|only)|no more|not allowed|can(?: only|not|'t) use|prevent|avoid|sempre|nunca|a partir de agora|daqui (?:pra|para) frente|toda vez|jamais|nao (?:use|usar|adicione|mexa|altere|faca))\b/
const CORRECTION =
  /^(?:no\b|nope\b|wrong\b|not (?:what|that|like|quite)\b|that(?:'s| is)(?: not|n't)? (?:wrong|incorrect|right|correct|what|how)\b|stop\b|revert\b|undo\b|actually\b|wait\b|nao\b|errado\b|na verdade\b|espera\b|desfa\w+\b|revert\w+\b)|\b(?:i (?:said|meant|told you|asked (?:you|for)|already)|you (?:forgot|missed|broke|removed|ignored|should(?: not|n't)? have|did(?: not|n't)|are (?:wrong|not))|why (?:did|are|do) you|still (?:not|fails?|broken|wrong|doesn't)|eu (?:disse|pedi|falei|quis)|voce (?:esqueceu|errou|removeu|ignorou|nao)|ainda (?:nao|falha))\b/
const DECISION =
  /\b(?:(?:go|going|stick|stay|proceed|start) with|i(?:'d)? (?:prefer|rather)|we(?:'ll| will|'ve)? (?:decided|agreed|chose|chosen|use|used|keep|want)|let'?s (?:use|keep|drop|switch|move|not|remove|make)|instead(?: of)?|rather than|option (?:[a-e]|\d)|decid(?:ed?|imos|i)|vamos (?:usar|manter|com|trocar|remover)|prefiro|em vez de|ao inves de|opcao (?:[a-e]|\d))\b/
const OFFERED =
  /\b(?:which (?:option|approach|one)|option (?:1|a|b)\b|trade-?offs?|would you (?:prefer|rather|like)|do you want (?:me )?to|should (?:i|we)\b|qual (?:opcao|abordagem)|prefere|quer que eu)/

/**
 * Whether the agent of this conversation probably knows something worth saving; an empty result means it is not asked. Nothing is stored
 * because of it, so it may be generous: a question costs a few hundred tokens, and the usual answer is "nothing".
 */
export function reasonsToAsk(messages: readonly Message[]): readonly AskReason[] {
  const found = new Set<AskReason>()
  const said = messages.filter(({ internal, run }) => internal !== true && run === undefined)
  let prompts = 0
  let before: Message | undefined
  for (const message of said) {
    const speaker = speakerOf(message.role)
    if (speaker === 'user') {
      prompts++
      if (message.text.length <= MAX_TYPED_CHARACTERS) {
        const text = foldText(message.text).trim()
        const isAnswer = before !== undefined && speakerOf(before.role) === 'agent'
        if (RULE.test(text)) found.add('rule')
        if (isAnswer && CORRECTION.test(text)) found.add('correction')
        if (DECISION.test(text) || (isAnswer && OFFERED.test(foldText(before?.text ?? '').slice(-1_500))))
          found.add('decision')
      }
    }
    if (speaker === 'user' || speaker === 'agent') before = message
  }
  const runs = messages.flatMap(({ run }) => run ?? [])
  if (hasRecovered(runs)) found.add('check')
  if (prompts >= LONG_SESSION_PROMPTS || runs.length >= LONG_SESSION_RUNS) found.add('long')
  return ASK_REASONS.filter(reason => found.has(reason))
}

/** A command that failed at least twice and then passed. */
function hasRecovered(runs: readonly ToolRun[]): boolean {
  const failures = new Map<string, number>()
  for (const { command, ok } of runs) {
    if (command === undefined || ok === undefined) continue
    const name = command.replace(/\s+/g, ' ').trim()
    const count = failures.get(name) ?? 0
    if (!ok) failures.set(name, count + 1)
    else if (count >= REPEATED_FAILURES) return true
  }
  return false
}
