import { useEffect, useRef, useState } from 'react'
import { type Answered, ApiError, call } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { CompareVersions } from './compare-versions.tsx'
import { projectWords } from './project-words.ts'

/** Above this length every brief cuts the text. */
const MAX_WORDS = 500
/** The documentation uses the same estimate. */
const CHARACTERS_A_TOKEN = 4

/** `_project.md`, which is injected into every session. */
export function ProjectText({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const words = useWords(projectWords)
  const answer = useAnswer('projectText', {}, ['project-text'])
  const [isEdited, setEdited] = useState(false)
  return (
    <section className="project-text panel stack" aria-label={words.title}>
      <div className="row between">
        <h2>{words.title}</h2>
        {!isEdited && (
          <Button disabled={isReadOnly || answer.state === 'loading'} onClick={() => setEdited(true)}>
            {words.edit}
          </Button>
        )}
      </div>
      <p className="soft small">{words.what}</p>
      <AnswerView answer={answer}>
        {data =>
          isEdited ? (
            <ProjectEditor shown={data} onLeave={() => setEdited(false)} />
          ) : (
            <>
              {data.text.trim() === '' ? <p>{words.empty}</p> : <Markdown text={data.text} />}
              <WordCount text={data.text} count={data.words} />
            </>
          )
        }
      </AnswerView>
    </section>
  )
}

function ProjectEditor({ shown, onLeave }: { readonly shown: Answered<'projectText'>; onLeave(): void }) {
  const words = useWords(projectWords)
  const [text, setText] = useState(shown.text)
  const [seen, setSeen] = useState(shown.hash)
  const [theirs, setTheirs] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])

  const save = async (content: string, expect: string) => {
    setBusy(true)
    try {
      const answer = await call('projectTextSave', { text: content, expect })
      const redacted = answer.redacted.length > 0 ? ` ${words.redacted(answer.redacted.length)}` : ''
      if (answer.record === null) showToast(words.same)
      else undoToast(`${words.saved}${redacted}`, answer.record)
      onLeave()
      notifyChange()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'text_changed') {
        const current = await call('projectText', {})
        setTheirs(current.text)
        setSeen(current.hash)
        setText(content)
      } else showFailure(error)
    } finally {
      setBusy(false)
    }
  }

  if (theirs !== undefined) {
    return (
      <CompareVersions
        mine={text}
        theirs={theirs}
        isBusy={isBusy}
        onMine={merged => void save(merged, seen)}
        onTheirs={onLeave}
      />
    )
  }
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        void save(text, seen)
      }}
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          void save(text, seen)
        } else if (event.key === 'Escape' && text === shown.text) onLeave()
      }}
    >
      {shown.hash !== seen && (
        <p className="notice warn row" role="alert">
          {words.changed}
          <Button
            onClick={() => {
              setTheirs(shown.text)
              setSeen(shown.hash)
            }}
          >
            {words.compare}
          </Button>
        </p>
      )}
      <Field label={words.text} hint={words.hint}>
        {ids => (
          <textarea
            {...ids}
            ref={area}
            rows={14}
            value={text}
            onChange={event => setText(event.target.value)}
          />
        )}
      </Field>
      <WordCount text={text} count={countWords(text)} />
      <div className="row">
        <Button variant="primary" type="submit" disabled={isBusy}>
          {words.save}
        </Button>
        <Button onClick={onLeave}>{words.cancel}</Button>
      </div>
    </form>
  )
}

function WordCount({ text, count }: { readonly text: string; readonly count: number }) {
  const words = useWords(projectWords)
  const { language } = useLanguage()
  const number = (value: number) => value.toLocaleString(language)
  const tokens = number(Math.ceil(text.length / CHARACTERS_A_TOKEN))
  return (
    <>
      <p className="soft small" role="status">
        {words.words(number(count))} · {words.cost(tokens)}
      </p>
      {count > MAX_WORDS && (
        <p className="notice warn" role="alert">
          {words.tooLong(number(count), tokens)}
        </p>
      )}
    </>
  )
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}
