import { type FormEvent, useState } from 'react'
import { callHub, type HubAnswered, type Scope } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { Field, Select } from '../ui/field.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { runAdminAction } from './admin-action.ts'
import { hubWords } from './words.ts'

const KINDS = ['agent', 'user'] as const
const SCOPES: readonly Scope[] = ['read', 'write', 'admin']
const EXPIRIES = ['90d', '1d', '30d', '365d', ''] as const
const EVERY = '*'
/** The limits of the route. */
const MIN_RATE = 0.1
const MAX_RATE = 10_000

/** Without a project: the first one, which is known later than the form. */
interface Chosen {
  readonly project?: string
  readonly scope: Scope
}

/** The form for a new token. The defaults give the least access. */
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
  const [grants, setGrants] = useState<readonly Chosen[]>([{ scope: 'read' }])
  const [rate, setRate] = useState('')
  const [expires, setExpires] = useState<(typeof EXPIRIES)[number]>('90d')
  const offered = hasEveryProject ? [...projects, EVERY] : projects
  const placeOf = ({ project }: Chosen) => project ?? projects[0] ?? EVERY
  const places = grants.map(placeOf)
  const left = offered.filter(project => !places.includes(project))
  const perSecond = rate.trim() === '' ? undefined : Number(rate.replace(',', '.'))
  const isRateWrong = perSecond !== undefined && !(perSecond >= MIN_RATE && perSecond <= MAX_RATE)
  const change = (at: number, next: Chosen) =>
    setGrants(grants.map((each, one) => (one === at ? next : each)))
  const make = (event: FormEvent) => {
    event.preventDefault()
    void runAdminAction(async () => {
      const made = await callHub('hubTokenAdd', {
        name: name.trim(),
        kind,
        project: grants.map(each => `${placeOf(each)}:${each.scope}`),
        ...(expires !== '' && { expires }),
        ...(perSecond !== undefined && { rate: perSecond }),
      })
      setName('')
      setGrants([{ scope: 'read' }])
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
          label={words.expires}
          value={expires}
          choices={EXPIRIES.map(value => ({ value, label: words.expiry[value] ?? value }))}
          onChoose={value => setExpires(value)}
        />
        <Field label={words.rate} hint={isRateWrong ? words.rateWrong : words.rateHint}>
          {ids => (
            <input
              {...ids}
              inputMode="decimal"
              autoComplete="off"
              aria-invalid={isRateWrong}
              value={rate}
              onChange={event => setRate(event.target.value)}
            />
          )}
        </Field>
      </div>
      <fieldset className="plain-group stack">
        <legend>{words.grants}</legend>
        {grants.map((grant, at) => (
          <div key={placeOf(grant)} className="row foot hub-grant">
            <Select
              label={words.where}
              value={placeOf(grant)}
              choices={offered
                .filter(value => value === placeOf(grant) || left.includes(value))
                .map(value => ({ value, label: value === EVERY ? words.everyProject : visibleText(value) }))}
              onChoose={project => change(at, { ...grant, project })}
            />
            <Select
              label={words.scope}
              value={grant.scope}
              choices={SCOPES.map(value => ({ value, label: words.scopes[value] ?? value }))}
              onChoose={scope => change(at, { ...grant, scope })}
            />
            {grants.length > 1 && (
              <Button
                aria-label={words.dropGrant(placeOf(grant))}
                onClick={() => setGrants(grants.filter((_, one) => one !== at))}
              >
                {words.drop}
              </Button>
            )}
          </div>
        ))}
        {left[0] !== undefined && (
          <div>
            <Button onClick={() => setGrants([...grants, { project: left[0] ?? EVERY, scope: 'read' }])}>
              {words.addGrant}
            </Button>
          </div>
        )}
      </fieldset>
      <div className="row end">
        <Button variant="primary" type="submit" disabled={name.trim() === '' || isRateWrong}>
          {words.create}
        </Button>
      </div>
    </form>
  )
}
