import { memo } from 'react'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { KindChip, StatusChip, UnmergedChip } from '../../ui/entry-facts.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { dropDraft, useHasDraft } from './drafts.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryText, Snippet } from './entry-text.tsx'
import { Cross, Pencil, PinIcon } from './icons.tsx'
import { type Entry, isPinnedByPerson, type Listed } from './pages.ts'
import { vaultWords } from './words.ts'

/** The actions of a row. The object is stable, so that rows do not render again. */
export interface RowActions {
  point(id: string): void
  open(id: string): void
  edit(id: string | undefined): void
  pin(entry: Entry): void
  remove(entry: Entry): void
  tick(entry: Entry, line: number, isDone: boolean): void
  select(entry: Entry, how: { readonly isRange: boolean }): void
  saved(entry: Entry): void
  chooseTag(tag: string): void
}

export interface RowProps {
  readonly listed: Listed
  readonly actions: RowActions
  readonly isAt: boolean
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly isEdited: boolean
  readonly isReadOnly: boolean
  /** Shows the agent and the category, if the list contains several. */
  readonly showsCategory: boolean
  readonly showsAgent: boolean
}

/** One row of the list. */
export const EntryRow = memo(function EntryRow(props: RowProps) {
  const { listed, actions, isAt, isOpen, isSelected, isEdited, isReadOnly } = props
  const words = useWords(vaultWords)
  const { entry, found, document } = listed
  const isFixed = isReadOnly || document !== undefined
  const classes = ['entry', isAt && 'at', isOpen && 'open', isSelected && 'selected', entry.status]
  return (
    <article
      className={classes.filter(Boolean).join(' ')}
      id={`entry-${entry.id}`}
      aria-label={labelOf(entry)}
      // j and k move the focus, so that screen readers follow.
      tabIndex={isAt ? 0 : -1}
      onFocus={() => actions.point(entry.id)}
      onDoubleClick={event => {
        if (!isFixed && !isEdited && !isControl(event.target)) actions.edit(entry.id)
      }}
    >
      <RowHead {...props} isFixed={isFixed} />
      {isEdited ? (
        <EntryForm entry={entry} onLeave={() => actions.edit(undefined)} onSaved={actions.saved} />
      ) : found === undefined ? (
        <EntryText
          content={entry.content}
          {...(!isFixed && { onTick: (line, isDone) => actions.tick(entry, line, isDone) })}
        />
      ) : (
        <Snippet {...found} />
      )}
      <RowFoot listed={listed} actions={actions} />
      {!isEdited && !isFixed && <KeptDraft id={entry.id} actions={actions} />}
      {document !== undefined && (
        <p className="soft small">
          {words.document}: {visibleText(document.path)}
        </p>
      )}
    </article>
  )
})

function RowHead({
  listed: { entry, document },
  actions,
  isSelected,
  isEdited,
  isFixed,
  showsAgent,
  showsCategory,
}: RowProps & { readonly isFixed: boolean }) {
  const words = useWords(vaultWords)
  const isPinned = isPinnedByPerson(entry)
  const pinLabel = isPinned ? words.unpin : words.pin
  return (
    <div className="entry-head">
      {document === undefined && (
        <input
          type="checkbox"
          className="pick"
          checked={isSelected}
          aria-label={`${words.select}: ${labelOf(entry)}`}
          onClick={event => actions.select(entry, { isRange: event.shiftKey })}
          onChange={() => undefined}
        />
      )}
      <KindChip kind={entry.kind} />
      {entry.status !== 'confirmed' && <StatusChip status={entry.status} />}
      <UnmergedChip entry={entry} />
      <span className="soft small">
        {showsAgent && <>{visibleText(entry.agent)} · </>}
        {showsCategory && <>{words[entry.category]} · </>}
        <Moment at={entry.date} />
      </span>
      {!isEdited && (
        <div className="entry-actions">
          {document === undefined && (
            <span className="wide-actions">
              <Button
                variant="plain"
                aria-label={words.edit}
                title={`${words.edit} (e)`}
                disabled={isFixed}
                onClick={() => actions.edit(entry.id)}
              >
                <Pencil />
              </Button>
              <Button
                variant="plain"
                aria-label={pinLabel}
                title={`${pinLabel} (p)`}
                disabled={isFixed}
                onClick={() => actions.pin(entry)}
              >
                <PinIcon isOn={isPinned} />
              </Button>
              <Button
                variant="plain"
                aria-label={words.remove}
                title={`${words.remove} (Del)`}
                disabled={isFixed}
                onClick={() => actions.remove(entry)}
              >
                <Cross />
              </Button>
            </span>
          )}
          <Menu
            label={words.moreActions}
            items={[
              { label: words.open, run: () => actions.open(entry.id) },
              { label: words.edit, isDisabled: isFixed, run: () => actions.edit(entry.id) },
              { label: pinLabel, isDisabled: isFixed, run: () => actions.pin(entry) },
              { label: words.remove, isDisabled: isFixed, isDanger: true, run: () => actions.remove(entry) },
            ]}
          />
        </div>
      )}
    </div>
  )
}

function RowFoot({ listed, actions }: { readonly listed: Listed; readonly actions: RowActions }) {
  const words = useWords(vaultWords)
  const { entry, marks, freshness } = listed
  if (entry.tags.length + entry.files.length === 0 && marks === undefined && freshness === undefined)
    return null
  return (
    <div className="entry-foot small">
      {marks?.supersededBy !== undefined && (
        <a className="chip warn" href={linkToEntry(marks.supersededBy)}>
          {words.superseded}
        </a>
      )}
      {marks?.newerClaim !== undefined && (
        <a className="chip warn" href={linkTo('conflicts')}>
          {words.newerClaim}
        </a>
      )}
      {marks?.besideMatch !== undefined && <span className="chip">{words.besideMatch}</span>}
      {marks?.conflictsWith !== undefined && (
        <a className="chip bad" href={linkTo('conflicts')}>
          {words.inConflict}
        </a>
      )}
      {freshness !== undefined && (
        <a className="chip warn" href={linkTo('freshness', { entry: entry.id })}>
          {freshness.state === 'orphaned' ? words.orphaned : words.drifted}
        </a>
      )}
      {entry.tags.map(tag => (
        <button key={tag} type="button" className="chip tag" onClick={() => actions.chooseTag(tag)}>
          #{visibleText(tag)}
        </button>
      ))}
      {entry.files.map(file => (
        <code key={file} className="file" title={words.files}>
          {visibleText(file)}
        </code>
      ))}
    </div>
  )
}

function KeptDraft({ id, actions }: { readonly id: string; readonly actions: RowActions }) {
  const words = useWords(vaultWords)
  const has = useHasDraft(id)
  if (!has) return null
  return (
    <div className="notice row small">
      {words.draftSaved}
      <Button onClick={() => actions.edit(id)}>{words.continueEditing}</Button>
      <Button variant="plain" onClick={() => dropDraft(id)}>
        {words.dropDraft}
      </Button>
    </div>
  )
}

/** The first line, as the accessible name. */
export function labelOf(entry: Entry): string {
  const line = entry.content
    .split('\n', 1)[0]
    ?.replace(/^\s*(?:#+|[-*]( \[[ xX]\])?)\s+/, '')
    .trim()
  const text = line === undefined || line === '' ? entry.id : line
  return visibleText(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}

export function isControl(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('button, a, input, textarea, select, summary, pre') !== null
  )
}
