import type { Memory } from '../../kernel/memory.ts'
import type { Bundle } from '../../kernel/model/bundle.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { groundOf, jsonObjectIn } from '../learning/decide/model-answer.ts'
import type { ModelPorts } from '../learning/decide/ports.ts'
import { askModel, type ModelCall } from '../learning/refining.ts'
import { type NumberedItem, planWording, readWording } from './decide/wording.ts'

export interface WordedBundle {
  readonly bundle: Bundle
  /** `rules`, or `rules+` and the name of the model. */
  readonly provider: string
  /** Absent: no model was asked. */
  readonly model?: ModelCall & {
    readonly rewritten: number
    readonly merged: number
    readonly refused: number
  }
  readonly degraded: readonly Degradation[]
}

/**
 * Rewords the bundle if a model is configured and allowed, within its daily budget. It never fails: after any error the words of the rules
 * stay, and `degraded` has the reason.
 */
export async function wordBundle(
  memory: Memory & ModelPorts,
  bundle: Bundle,
  before: Bundle | undefined,
): Promise<WordedBundle> {
  try {
    const config = await memory.config()
    const redaction = redactionOptions(config)
    let numbered: readonly NumberedItem[] = []
    const asked = await askModel(memory, async budgetTokens => {
      const request = planWording(bundle, before, budgetTokens)
      if (request === undefined) return undefined
      numbered = request.numbered
      return config['redaction.secondNet']
        ? { ...request, content: (await memory.secondNet(request.content)).text }
        : request
    })
    if (asked === undefined) return { bundle, provider: 'rules', degraded: [] }
    const { model, answer } = asked
    const object = answer.isCut ? undefined : jsonObjectIn(answer.text, ['rewrite', 'merge'])
    if (object === undefined)
      return {
        bundle,
        provider: 'rules',
        model: { ...model, rewritten: 0, merged: 0, refused: 0 },
        degraded: [untouched('model_failed', `The answer of ${model.name} cannot be used.`)],
      }
    const said = numbered.map(({ number, item }) => ({
      message: number,
      speaker: 'agent' as const,
      text: item.text,
    }))
    const ground = groundOf(said)
    const worded = readWording(object, bundle, {
      numbered,
      whyNot: claim => ground.whyNot(claim),
      clean: text => redact(text, redaction).text,
    })
    const isTaken = worded.rewritten + worded.merged > 0
    return {
      bundle: worded.bundle,
      provider: isTaken ? `rules+${model.name}` : 'rules',
      model: { ...model, rewritten: worded.rewritten, merged: worded.merged, refused: worded.refused.length },
      degraded: [],
    }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return { bundle, provider: 'rules', degraded: [untouched(error.code, error.message)] }
  }
}

function untouched(code: NoticeCode, message: string): Degradation {
  return { code, message: `${message} The bundle has the words of the rules.` }
}
