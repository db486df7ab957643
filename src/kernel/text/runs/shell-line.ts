/** One simple command of a line: `FOO=1 npm test 2>&1` → npm, test. */
export interface ShellCommand {
  /** Without leading assignments, redirections and quotes. */
  readonly words: readonly string[]
  /** The operator between it and the next one. */
  readonly then: '&&' | '||' | ';' | '|' | ''
}

const MAX_LINE_LENGTH = 4_000
const MAX_COMMANDS = 40
const ASSIGNMENT = /^[A-Za-z_]\w*=/
const HERE_DOCUMENT = /<<-?\s*(['"]?)([A-Za-z_]\w*)\1[^\n]*\n[\s\S]*?(?:\n\s*\2(?=\s*(?:\n|$))|$)/g

/**
 * Splits a line roughly as a shell would, to find out which commands ran: quotes, pipes, lists, redirections. The content of a here
 * document is not part of it.
 */
export function splitShellLine(line: string): ShellCommand[] {
  const text = line.slice(0, MAX_LINE_LENGTH).replace(/\\\n/g, ' ').replace(HERE_DOCUMENT, '\n')
  const commands: ShellCommand[] = []
  let words: string[] = []
  let word = ''
  let isWord = false
  let skipsNext = false
  const endWord = () => {
    if (!isWord) return
    if (skipsNext) skipsNext = false
    else if (words.length > 0 || !ASSIGNMENT.test(word)) words.push(word)
    word = ''
    isWord = false
  }
  const endCommand = (then: ShellCommand['then']) => {
    endWord()
    skipsNext = false
    if (words.length > 0 && commands.length < MAX_COMMANDS) commands.push({ words, then })
    words = []
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    const next = text[at + 1]
    if (char === "'" || char === '"') {
      const end = closingQuote(text, at)
      word += text.slice(at + 1, end)
      isWord = true
      at = end
    } else if (char === '\\' && next !== undefined) {
      word += next
      isWord = true
      at++
    } else if (char === '&' && next === '>') {
      endWord()
      skipsNext = true
      at += text[at + 2] === '>' ? 2 : 1
    } else if (char === '>' || char === '<') {
      // A file descriptor before it belongs to it: 2>&1.
      if (/^\d$/.test(word)) {
        word = ''
        isWord = false
      }
      endWord()
      const target = /^[><]?&?(\d|-)?/.exec(text.slice(at + 1))?.[0] ?? ''
      at += target.length
      skipsNext = !/[\d-]$/.test(target)
    } else if (char === '&' && next === '&') {
      endCommand('&&')
      at++
    } else if (char === '|' && next === '|') {
      endCommand('||')
      at++
    } else if (char === '|') {
      endCommand('|')
      if (next === '&') at++
    } else if (char === ';' || char === '\n' || char === '&') endCommand(';')
    else if (char === '(' || char === ')' || char === '{' || char === '}') {
      // A group; inside a word (`a{b,c}`, `$(pwd)`) it is part of the word.
      if (isWord || next === undefined || !/\s/.test(next)) {
        if (char !== '(' && char !== ')') {
          word += char
          isWord = true
        } else endWord()
      } else endWord()
    } else if (char === '#' && !isWord) {
      const newline = text.indexOf('\n', at)
      at = (newline === -1 ? text.length : newline) - 1
    } else if (/\s/.test(char)) endWord()
    else {
      word += char
      isWord = true
    }
  }
  endCommand('')
  return commands
}

function closingQuote(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++
    else if (text[at] === quote) return at
  }
  return text.length
}
