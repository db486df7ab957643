import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Segments } from '../../ui/segments.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import type { BriefPreview } from './brief-items.tsx'
import { briefWords } from './words.ts'

/** The text as the host gets it, to be read and copied; or as Markdown, which is easier on the eye. */
export function BriefText({ told }: { readonly told: BriefPreview }) {
  const words = useWords(briefWords)
  const [isRendered, setIsRendered] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(told.text).then(
      () => showToast(words.copied),
      () => showToast(words.copyFailed, { look: 'bad' }),
    )
  return (
    <section className="panel stack" aria-labelledby="brief-text">
      <div className="row">
        <h2 id="brief-text">{words.text}</h2>
        <span className="soft">
          {words.tokens(told.tokens)}. {words.taskAs(visibleText(told.profile))}
        </span>
      </div>
      <div className="row">
        <Segments
          label={words.format}
          segments={[
            { value: 'asIs', label: words.asIs },
            { value: 'rendered', label: words.rendered },
          ]}
          chosen={isRendered ? 'rendered' : 'asIs'}
          onChoose={look => setIsRendered(look === 'rendered')}
        />
        <Button onClick={() => void copy()}>{words.copy}</Button>
      </div>
      {isRendered ? (
        <Markdown text={told.text} headingLevel={3} isWide />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre className="brief-raw" tabIndex={0}>
          {visibleText(told.text)}
        </pre>
      )}
    </section>
  )
}
