import { useMemo } from 'react'
import type { Answered as AnswerOf } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { type Numbered, numberLines, pairLines } from './side-by-side.ts'
import { freshnessWords } from './words.ts'

type DriftedFile = AnswerOf<'drift'>['files'][number]
type Hunk = DriftedFile['hunks'][number]

/** The changes of one file since the entry was anchored to it. */
export function FileDiff({ file, isSplit }: { readonly file: DriftedFile; readonly isSplit: boolean }) {
  const words = useWords(freshnessWords)
  const { hunks, because } = file
  const path = file.to ?? file.file
  const copy = () =>
    navigator.clipboard.writeText(path).then(
      () => showToast(words.copied),
      () => showToast(words.copyFailed, { variant: 'bad' }),
    )
  return (
    <section className="file-diff stack" aria-label={file.file}>
      <div className="row">
        <code>{visibleText(file.file)}</code>
        <span className="soft">
          {file.to === undefined
            ? words.whats[file.what]
            : file.what === 'changed'
              ? words.movedAndChanged(visibleText(file.to))
              : words.movedTo(visibleText(file.to))}
        </span>
        <Button onClick={() => void copy()}>{words.copyPath}</Button>
      </div>
      {because !== undefined && (
        <p className="soft">
          {hunks.length === 0 ? words.noDiff : words.partly} {words.because[because.code](because.count ?? 0)}
        </p>
      )}
      {hunks.map(hunk => (
        <HunkTable key={`${hunk.oldStart} ${hunk.newStart}`} hunk={hunk} isSplit={isSplit} />
      ))}
    </section>
  )
}

function HunkTable({ hunk, isSplit }: { readonly hunk: Hunk; readonly isSplit: boolean }) {
  const words = useWords(freshnessWords)
  const lines = useMemo(() => numberLines(hunk.lines, { old: hunk.oldStart, now: hunk.newStart }), [hunk])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls.
    <div className="hunk" role="group" aria-label={words.hunk(hunk.newStart)} tabIndex={0}>
      {isSplit ? <SplitTable lines={lines} /> : <UnifiedTable lines={lines} />}
    </div>
  )
}

function UnifiedTable({ lines }: { readonly lines: readonly Numbered[] }) {
  const words = useWords(freshnessWords)
  return (
    <table>
      <thead className="unseen">
        <tr>
          <th scope="col">{words.lineBefore}</th>
          <th scope="col">{words.lineNow}</th>
          <th scope="col">{words.text}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={`${line.old ?? ''} ${line.now ?? ''}`} className={line.kind}>
            <td className="line">{line.old}</td>
            <td className="line">{line.now}</td>
            <LineText line={line} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SplitTable({ lines }: { readonly lines: readonly Numbered[] }) {
  const words = useWords(freshnessWords)
  return (
    <table className="split">
      <thead>
        <tr>
          <th scope="col" className="line">
            <span className="unseen">{words.lineBefore}</span>
          </th>
          <th scope="col">{words.before}</th>
          <th scope="col" className="line">
            <span className="unseen">{words.lineNow}</span>
          </th>
          <th scope="col">{words.now}</th>
        </tr>
      </thead>
      <tbody>
        {pairLines(lines).map(({ before, after }) => (
          <tr key={`${before?.old ?? ''} ${after?.now ?? ''}`}>
            <td className="line">{before?.old}</td>
            <LineText line={before} />
            <td className="line">{after?.now}</td>
            <LineText line={after} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A sign and a word for screen readers, never the colour alone. */
function LineText({ line }: { readonly line: Numbered | undefined }) {
  const words = useWords(freshnessWords)
  if (line === undefined) return <td className="none" />
  return (
    <td className={`text ${line.kind}`}>
      <span aria-hidden="true">{line.kind === 'added' ? '+ ' : line.kind === 'removed' ? '− ' : '  '}</span>
      {line.kind !== 'same' && <span className="unseen">{words[line.kind]}: </span>}
      {visibleText(line.text)}
    </td>
  )
}
