import type { Answered } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { chatWords } from './words.ts'

export type Host = Answered<'agentHosts'>['hosts'][number]

/** Chooses the agent and its host. Only hosts that the user enabled in a terminal are available. */
export function ChatSetup({
  agents,
  agent,
  onAgent,
  hosts,
  host,
  onHost,
  model,
  onModel,
}: {
  readonly agents: readonly string[]
  readonly agent: string
  onAgent(agent: string): void
  readonly hosts: readonly Host[]
  readonly host: string
  onHost(host: string): void
  readonly model: string
  onModel(model: string): void
}) {
  const words = useWords(chatWords)
  const isAny = hosts.some(({ isEnabled }) => isEnabled)
  return (
    <div className="stack">
      <Field label={words.agent} hint={words.agentHint}>
        {ids => (
          <input
            {...ids}
            list="chat-agents"
            autoComplete="off"
            spellCheck={false}
            value={agent}
            onChange={event => onAgent(event.target.value)}
          />
        )}
      </Field>
      <datalist id="chat-agents">
        {agents.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isAny && (
        <>
          <Select
            label={words.host}
            value={host}
            onChoose={onHost}
            choices={hosts.map(one => choiceOf(one, words))}
          />
          <Field label={words.model} hint={words.modelHint}>
            {ids => (
              <input
                {...ids}
                value={model}
                spellCheck={false}
                onChange={event => onModel(event.target.value)}
              />
            )}
          </Field>
          <details className="small">
            <summary>{words.enableOthers}</summary>
            <HowToEnable hosts={hosts} intro={words.enable} />
          </details>
        </>
      )}
      {!isAny && (
        <div className="notice">
          <HowToEnable hosts={hosts} intro={words.noHost} />
        </div>
      )}
    </div>
  )
}

function choiceOf({ host, name, isEnabled, isInstalled, version }: Host, words: typeof chatWords.en) {
  if (isEnabled) return { value: host as string, label: version === undefined ? name : `${name} ${version}` }
  return {
    value: host as string,
    label: isInstalled ? words.hostOff(name) : words.hostAbsent(name),
    isDisabled: true,
  }
}

function HowToEnable({ hosts, intro }: { readonly hosts: readonly Host[]; readonly intro: string }) {
  const words = useWords(chatWords)
  const isAnyInstalled = hosts.some(({ isInstalled }) => isInstalled)
  return (
    <>
      <p>{intro}</p>
      <ul>
        {hosts
          .filter(({ isEnabled, isInstalled }) => !isEnabled && (isInstalled || !isAnyInstalled))
          .map(({ host, name, isInstalled, isChanged, program }) => (
            <li key={host}>
              <code>cairn agent enable {host}</code>
              <div className="small">
                {isInstalled ? name : words.hostAbsent(name)}
                {program !== null && ` (${visibleText(program)})`}
                {isChanged && ` ${words.hostChanged}`}
              </div>
            </li>
          ))}
      </ul>
    </>
  )
}

/** Explains how to enable a host. The command names an installed host, if there is one. */
export function EnableFirst({ hosts }: { readonly hosts: readonly Host[] }) {
  const words = useWords(chatWords)
  const { host } = hosts.find(({ isInstalled }) => isInstalled) ?? hosts[0] ?? {}
  return (
    <>
      {words.enableFirst} {host !== undefined && <code>cairn agent enable {host}</code>}
    </>
  )
}
