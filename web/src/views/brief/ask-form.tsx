import { useId } from 'react'
import { HOST_IDS, HOST_TITLES, type HostId } from '../../../../src/kernel/model/host.ts'
import type { Asked } from '../../api/client.ts'
import { useVault } from '../../api/vault.ts'
import { useWords } from '../../language/language.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { briefWords } from './words.ts'

/** As it stands in the form. */
export interface Asking {
  readonly isStart: boolean
  readonly prompt: string
  readonly host: HostId | ''
  readonly agent: string
  readonly files: string
  readonly profile: string
}

const HOSTS = HOST_IDS.map(value => ({ value, label: HOST_TITLES[value] }))
const PROFILES = ['default', 'debug', 'plan']

/** What the route is asked; nothing while there is nothing to ask. */
export function askedOf({
  isStart,
  prompt,
  host,
  agent,
  files,
  profile,
}: Asking): Asked<'briefPreview'> | undefined {
  const said = prompt.trim()
  if (!isStart && said === '') return undefined
  const named = files
    .split(/[,\n]/)
    .map(file => file.trim())
    .filter(file => file !== '')
  return {
    ...(said !== '' && { prompt: said }),
    ...(isStart && { start: true }),
    ...(host !== '' && { host }),
    ...(agent !== '' && { agent }),
    ...(!isStart && named.length > 0 && { files: named }),
    ...(!isStart && profile.trim() !== '' && { profile: profile.trim() }),
  }
}

export function AskForm({ asking, onChange }: { readonly asking: Asking; onChange(asking: Asking): void }) {
  const words = useWords(briefWords)
  const vault = useVault()
  const agents = 'data' in vault ? (vault.data?.agents ?? []) : []
  const profiles = useId()
  const set = (change: Partial<Asking>) => onChange({ ...asking, ...change })
  return (
    <form className="panel stack brief-form" onSubmit={event => event.preventDefault()}>
      <fieldset className="plain-group row">
        <legend className="soft small">{words.when}</legend>
        <label className="row">
          <input
            type="radio"
            name="when"
            checked={!asking.isStart}
            onChange={() => set({ isStart: false })}
          />
          {words.onPrompt}
        </label>
        <label className="row">
          <input type="radio" name="when" checked={asking.isStart} onChange={() => set({ isStart: true })} />
          {words.onStart}
        </label>
      </fieldset>
      <Field
        label={asking.isStart ? words.about : words.prompt}
        {...(!asking.isStart && { hint: words.promptHint })}
      >
        {ids => (
          <textarea
            {...ids}
            rows={4}
            value={asking.prompt}
            onChange={event => set({ prompt: event.target.value })}
          />
        )}
      </Field>
      <Select
        label={words.host}
        value={asking.host}
        choices={[...HOSTS, { value: '', label: words.noHost }]}
        onChoose={host => set({ host })}
      />
      <Select
        label={words.agent}
        value={asking.agent}
        choices={[
          { value: '', label: words.everyAgent },
          ...agents.map(({ agent }) => ({ value: agent, label: agent })),
        ]}
        onChoose={agent => set({ agent })}
      />
      {!asking.isStart && (
        <>
          <Field label={words.files} hint={words.filesHint}>
            {ids => (
              <input {...ids} value={asking.files} onChange={event => set({ files: event.target.value })} />
            )}
          </Field>
          <Field label={words.profile} hint={words.profileHint}>
            {ids => (
              <>
                <input
                  {...ids}
                  list={profiles}
                  value={asking.profile}
                  onChange={event => set({ profile: event.target.value })}
                />
                <datalist id={profiles}>
                  {PROFILES.map(name => (
                    <option key={name} value={name} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        </>
      )}
    </form>
  )
}
