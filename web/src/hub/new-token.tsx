import { type FormEvent, useState } from 'react'
import { callHub, type HubAnswered, type Scope } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { Field, Select } from '../ui/field.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { administer } from './administer.ts'
import { hubWords } from './words.ts'

const KINDS = ['agent', 'user'] as const
const SCOPES: readonly Scope[] = ['read', 'write', 'admin']
const EXPIRIES = ['90d', '1d', '30d', '365d', ''] as const
const EVERY = '*'

/** What a token is for, chosen so that the least is what one gets without thinking. */
export function NewToken({
  projects,
  hasEveryProject,
  onMade,
}: {
  readonly projects: readonly string[]
  readonly hasEveryProject: boolean
  onMade(made: HubAnswered<'hubTokenAdd'>): void
}) {
  const words = useWords(hubWords)
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('agent')
  const [scope, setScope] = useState<Scope>('read')
  const [chosen, setChosen] = useState<string>()
  const [expires, setExpires] = useState<(typeof EXPIRIES)[number]>('90d')
  const where = chosen ?? projects[0] ?? EVERY
  const make = (event: FormEvent) => {
    event.preventDefault()
    void administer(async () => {
      const made = await callHub('hubTokenAdd', {
        name: name.trim(),
        kind,
        project: [where],
        scope,
        ...(expires !== '' && { expires }),
      })
      setName('')
      onMade(made)
    })
  }
  return (
    <form className="panel stack" onSubmit={make}>
      <h3>{words.addToken}</h3>
      <div className="hub-fields">
        <Field label={words.who} hint={words.whoHint}>
          {ids => (
            <input
              {...ids}
              value={name}
              autoComplete="off"
              spellCheck={false}
              onChange={event => setName(event.target.value)}
            />
          )}
        </Field>
        <Select
          label={words.kind}
          value={kind}
          choices={KINDS.map(value => ({ value, label: words.kinds[value] ?? value }))}
          onChoose={value => setKind(value)}
        />
        <Select
          label={words.where}
          value={where}
          choices={[
            ...projects.map(value => ({ value, label: visibleText(value) })),
            ...(hasEveryProject ? [{ value: EVERY, label: words.everyProject }] : []),
          ]}
          onChoose={setChosen}
        />
        <Select
          label={words.scope}
          value={scope}
          choices={SCOPES.map(value => ({ value, label: words.scopes[value] ?? value }))}
          onChoose={value => setScope(value)}
        />
        <Select
          label={words.expires}
          value={expires}
          choices={EXPIRIES.map(value => ({ value, label: words.expiry[value] ?? value }))}
          onChoose={value => setExpires(value)}
        />
      </div>
      <div className="row end">
        <Button look="primary" type="submit" disabled={name.trim() === ''}>
          {words.make}
        </Button>
      </div>
    </form>
  )
}
