import { inMemory, type ValidationFinding } from './finding.ts'
import { lineAt } from './json-text.ts'

const PATH = '_project.md'
/** From the specification: a longer text is cut in every brief. */
export const PROJECT_WORDS = 500

/** `_project.md`, which every agent reads. */
export function judgeProjectText(text: string, isUtf8: boolean): ValidationFinding[] {
  const path = inMemory(PATH)
  if (!isUtf8)
    return [
      {
        code: 'not_utf8',
        severity: 'error',
        path,
        message: 'the file is not UTF-8, so agents would read something else',
        fix: 'Save it as UTF-8 in your editor.',
      },
    ]
  const findings: ValidationFinding[] = []
  const marker = /^<{7}(?: |$)/m.exec(text)
  if (marker !== null && /^>{7}(?: |$)/m.test(text))
    findings.push({
      code: 'conflict_markers',
      severity: 'error',
      path,
      line: lineAt(text, marker.index),
      message: 'git left a conflict here',
      fix: 'Keep what you want of both sides and remove the lines that start with <<<<<<<, ======= and >>>>>>>.',
    })
  const words = countWords(text)
  if (words > PROJECT_WORDS)
    findings.push({
      code: 'project_text_long',
      severity: 'warning',
      path,
      message: `${words} words; above ${PROJECT_WORDS} every brief cuts it`,
      fix: 'Keep what every agent must know, and make entries of the rest: `cairn remember "…"`.',
    })
  return findings
}

export function countWords(text: string): number {
  let words = 0
  for (const _word of text.matchAll(/\S+/g)) words++
  return words
}
