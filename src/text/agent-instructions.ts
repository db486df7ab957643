/**
 * Text that gives orders to an agent instead of stating something about the project. Rules of a project ("always run the
 * migrations before a deploy") are statements; these are not.
 */
const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|other)\b[^.\n]{0,20}\b(?:instructions?|prompts?|rules|messages)\b/i,
  /\byou (?:must|should|shall|will|are (?:required|instructed|ordered) to) (?:always|never|now|immediately|first)\b/i,
  /\byou are (?:now )?(?:an? )?(?:ai|assistant|agent|language model|chatbot)\b/i,
  /\b(?:do not|don't|never) (?:tell|inform|mention (?:this|it) to|ask|alert) the (?:user|human|developer)\b/i,
  /\bwithout (?:asking|telling|informing) the (?:user|human|developer)\b/i,
  /^\s*(?:immediately |now )?(?:push|upload|send|post|exfiltrate|forward)\b[^.\n]{0,80}\bto\b\s+\S*(?:https?:|git@|@\w)/im,
  /\b(?:system prompt|developer message)\s*:/i,
]

/** The part of the text that is aimed at an agent; undefined: there is none. */
export function findAgentInstruction(text: string): string | undefined {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text)
    if (found !== null) return found[0].trim()
  }
  return undefined
}
