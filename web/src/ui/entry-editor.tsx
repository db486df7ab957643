import { useState } from 'react'
import { ApiError, call } from '../api/client.ts'
import { type Messages, useWords } from '../language/language.tsx'
import { Button } from './button.tsx'
import { TextEditor } from './text-editor.tsx'
import { showFailure } from './toasts.tsx'
import { undoToast } from './undo-toast.ts'
import { WordDiff } from './word-diff.tsx'

const en = {
  label: 'New text',
  help: 'Enter saves, Shift+Enter adds a line, Escape cancels.',
  save: 'Save',
  cancel: 'Cancel',
  changed: 'This entry changed while you were editing it. Compare the current text with yours:',
  saveAnyway: 'Overwrite with mine',
}
const editorWords: Messages<typeof en> = {
  en,
  pt: {
    label: 'Novo texto',
    help: 'Enter salva, Shift+Enter quebra a linha, Escape cancela.',
    save: 'Salvar',
    cancel: 'Cancelar',
    changed: 'Esta entrada foi alterada enquanto você a editava. Compare o texto atual com o seu:',
    saveAnyway: 'Substituir pela minha',
  },
}

/** The user's text and the current text of the entry. */
interface Clash {
  readonly mine: string
  readonly current: string
}

/** Edits the text of an entry in place. If it changed in the meantime, both versions are shown. */
export function EntryEditor({
  entry,
  saved,
  onLeave,
}: {
  readonly entry: { readonly id: string; readonly content: string }
  /** The toast text after saving. */
  readonly saved: string
  onLeave(): void
}) {
  const words = useWords(editorWords)
  // The text when the edit started, to detect changes that arrive in the meantime.
  const [base] = useState(entry.content)
  const [clash, setClash] = useState<Clash>()
  const save = async (content: string, expect: string) => {
    try {
      const { record } = await call('edit', { target: entry.id, content, expect })
      undoToast(saved, record)
      onLeave()
    } catch (error) {
      const current = error instanceof ApiError ? error.details.current : undefined
      if (typeof current === 'string') setClash({ mine: content, current })
      else showFailure(error)
    }
  }
  return (
    <>
      {clash !== undefined && (
        <div className="notice warn stack" role="alert">
          <p>{words.changed}</p>
          <WordDiff before={clash.current} after={clash.mine} />
          <div className="row">
            <Button onClick={() => void save(clash.mine, clash.current)}>{words.saveAnyway}</Button>
            <Button onClick={onLeave}>{words.cancel}</Button>
          </div>
        </div>
      )}
      <TextEditor
        text={base}
        label={words.label}
        help={words.help}
        saveLabel={words.save}
        cancelLabel={words.cancel}
        onSave={content => void save(content, clash?.current ?? base)}
        onCancel={onLeave}
      />
    </>
  )
}
