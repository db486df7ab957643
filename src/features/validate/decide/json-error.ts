const TOKEN =
  /[ \t\r\n]*(?:("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([[\]{},:]))/y

/** A pattern has a stack: of a longer text the fault is looked for here, and told at its end when it lies further on. */
const MAX_LOOKED_AT = 1_048_576

/** What may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing'

/**
 * Where a text stops being JSON. Engines tell it in many ways, or not at all. The stack of brackets is ours, so that no nesting is
 * too deep.
 */
export function jsonErrorOffset(whole: string): number {
  const text = whole.slice(0, MAX_LOOKED_AT)
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) return at + blanksAt(text, at)
    const [token, string, literal, mark = ''] = match
    const next = after({ string, literal, mark, expected, open })
    if (next === undefined) return at + blanksAt(text, at)
    expected = next
    at += token.length
  }
}

function after(token: {
  readonly string: string | undefined
  readonly literal: string | undefined
  readonly mark: string
  readonly expected: Expected
  readonly open: string[]
}): Expected | undefined {
  const { string, literal, mark, expected, open } = token
  const ended = (): Expected => (open.length === 0 ? 'nothing' : ', or end')
  const wantsValue = expected === 'value' || expected === 'value or ]'
  if (string !== undefined && (expected === 'key' || expected === 'key or }')) return ':'
  if (string !== undefined || literal !== undefined) return wantsValue ? ended() : undefined
  if ((mark === '{' || mark === '[') && wantsValue) {
    open.push(mark)
    return mark === '{' ? 'key or }' : 'value or ]'
  }
  if (mark === ':') return expected === ':' ? 'value' : undefined
  if (mark === ',') return expected !== ', or end' ? undefined : open.at(-1) === '{' ? 'key' : 'value'
  const isEnd =
    (mark === '}' && open.at(-1) === '{' && (expected === 'key or }' || expected === ', or end')) ||
    (mark === ']' && open.at(-1) === '[' && (expected === 'value or ]' || expected === ', or end'))
  if (!isEnd) return undefined
  open.pop()
  return ended()
}

function blanksAt(text: string, at: number): number {
  let blanks = 0
  while (/[ \t\r\n]/.test(text.charAt(at + blanks))) blanks++
  return blanks
}
