const MAX_CHARACTERS = 160

/** Closed list: English, Portuguese, Spanish. */
const ASKED = new RegExp(
  [
    "what(?:'s| is| are|’s)? (?:still |there )?(?:left|next|remaining|outstanding|open|pending)\\b",
    'what (?:else )?(?:remains|(?:do|should|can) (?:we|i) (?:still |have to |need to )?(?:do|work on|tackle) (?:next|now))\\b',
    'what (?:else )?(?:needs|has) to be done|what (?:do|should) (?:we|i) (?:still )?(?:have|need) to do',
    '(?:open|remaining|pending|outstanding) (?:tasks|todos|items)|next steps?\\b|to-?do list',
    'o que (?:ainda )?(?:falta|resta|sobrou)|o que (?:temos|tem|tenho) (?:para|pra|a) fazer|qua(?:l|is) (?:é |sao |são )?(?:o |os )?pr[oó]ximos? passos?|pr[oó]ximos passos|tarefas (?:abertas|pendentes)',
    'qu[eé] (?:nos )?(?:falta|queda)|qu[eé] sigue|pr[oó]ximos pasos|siguientes pasos|tareas (?:abiertas|pendientes)',
  ].join('|'),
  'i',
)

/** "What is left to do?": answered with the open tasks. */
export function isTaskQuestion(prompt: string): boolean {
  const text = prompt.trim()
  return text.length <= MAX_CHARACTERS && ASKED.test(text)
}
