import { useMay } from '../api/hub.ts'
import { isHub } from '../api/hub-address.ts'
import { useWords } from '../language/language.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SHOWN_VIEWS } from '../views.ts'
import { frameWords } from '../words.ts'
import { keysWords } from './keys-words.ts'

/** Lists all keyboard shortcuts of the page. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  const words = useWords(keysWords)
  const names = useWords(frameWords)
  const mayWrite = useMay('write')
  const changing = (keys: readonly Key[]) => (mayWrite ? keys : [])
  return (
    <Dialog title={words.title} onClose={onClose} className="wide">
      <Keys
        title={words.anywhere}
        keys={[
          [['Ctrl K', '⌘ K'], words.palette],
          [['?'], words.help],
          [['/'], words.search],
          [['Esc'], words.escape],
          ...SHOWN_VIEWS.map(({ name, key }): Key => [[`g ${key}`], `${words.go} ${names[name]}`]),
        ]}
      />
      <Keys
        title={words.memories}
        keys={[
          [['j', '↓'], words.down],
          [['k', '↑'], words.up],
          [['Enter'], words.open],
          [['o'], words.links],
          ...changing([
            [['n'], words.create],
            [['e'], words.edit],
            [['p'], words.pin],
            [['Del'], words.remove],
          ]),
          [['x'], words.select],
          [['Ctrl A', '⌘ A'], words.selectAll],
          [['[', ']'], words.tabs],
          ...changing([
            [['Enter'], words.save],
            [['Shift Enter'], words.line],
          ]),
        ]}
      />
      <Keys
        title={words.review}
        keys={[
          [['j'], words.nextProposal],
          [['k'], words.previousProposal],
          ...changing([
            [['a'], words.accept],
            [['r'], words.reject],
            [['e'], words.reword],
            [['x'], words.choose],
            [['u'], words.undoAnswer],
          ]),
        ]}
      />
      {!isHub && (
        <Keys
          title={words.chat}
          keys={[
            [['Enter'], words.send],
            [['Shift Enter'], words.line],
          ]}
        />
      )}
    </Dialog>
  )
}

type Key = readonly [keys: readonly string[], does: string]

function Keys({ title, keys }: { readonly title: string; readonly keys: readonly Key[] }) {
  return (
    <section className="stack">
      <h3>{title}</h3>
      <dl className="keys">
        {keys.map(([names, does]) => (
          <div key={does}>
            <dt>
              {names.map(name => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
