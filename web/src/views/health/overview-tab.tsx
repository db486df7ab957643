import { useState } from 'react'
import type { Answered } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Chart } from '../../ui/charts/chart.tsx'
import { Select } from '../../ui/field.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Problems } from '../../ui/problems.tsx'
import { Scrolled } from '../../ui/scrolled.tsx'
import { NoticeText } from '../../ui/server-message.tsx'
import { useFormats } from '../../ui/use-formats.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { WithCode } from '../../ui/with-code.tsx'
import { dollars, everyDay, type HealthAnswer, milliseconds, RETRIEVAL_TARGET_MS } from './health-model.ts'
import { Settings } from './settings.tsx'
import { healthWords } from './words.ts'

const RANGES = ['7', '30', '90', '365'] as const
type Range = (typeof RANGES)[number]

export function OverviewTab() {
  const words = useWords(healthWords)
  const [days, setDays] = useState<Range>('30')
  const health = useAnswer('health', { days: Number(days) })
  const status = useAnswer('status', {})
  return (
    <div className="stack">
      <AnswerView answer={status}>{data => <Standing status={data} />}</AnswerView>
      <div className="row">
        <Select<Range>
          label={words.days}
          value={days}
          choices={RANGES.map(value => ({ value, label: value }))}
          onChoose={setDays}
        />
      </div>
      <AnswerView answer={health}>
        {data => (
          <div className="stack">
            <Figures health={data} />
            <Charts health={data} />
            <Times health={data} />
            <HookFailures health={data} />
            <Disk health={data} />
          </div>
        )}
      </AnswerView>
      <Settings />
      <AnswerView answer={status}>{data => <Model model={data.model} />}</AnswerView>
    </div>
  )
}

const VARIANTS = { well: 'good', attention: 'warn', trouble: 'bad' } as const
const SIGNS = { well: '✓', attention: '!', trouble: '✕' } as const

function Standing({ status }: { readonly status: Answered<'status'> }) {
  const words = useWords(healthWords)
  const { health, hooks, problems, readOnly, degraded } = status
  return (
    <section className="panel stack">
      <h2 className="row">
        <span className={`chip ${VARIANTS[health.state]}`} aria-hidden="true">
          {SIGNS[health.state]}
        </span>
        {words.states[health.state]}
      </h2>
      {health.causes.length > 0 && (
        <ul className="reasons">
          {health.causes.map(cause => (
            <li key={`${cause.code} ${cause.notice ?? ''}`}>
              {cause.notice === undefined ? (
                words.causes[cause.code](cause.count ?? 1)
              ) : (
                <NoticeText notice={noticeOf(cause.notice, degraded)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {readOnly !== null && (
        <div className="notice warn">
          <NoticeText notice={readOnly} />
        </div>
      )}
      <Problems problems={problems} />
      <p className="soft">
        {words.calls}:{' '}
        {hooks.calls.length === 0 ? (
          <WithCode text={words.noCalls} />
        ) : (
          hooks.calls.map(({ host, at, event }, index) => (
            <span key={host}>
              {index > 0 && ', '}
              {visibleText(host)} ({visibleText(event)}, <Moment at={at} />)
            </span>
          ))
        )}
      </p>
    </section>
  )
}

/** Degraded notices have a full text; a cause has only its code. */
function noticeOf(code: string, degraded: Answered<'status'>['degraded']) {
  return degraded.find(notice => notice.code === code) ?? { code, message: code.replaceAll('_', ' ') }
}

function Figures({ health: { index, journalBytes } }: { readonly health: HealthAnswer }) {
  const words = useWords(healthWords)
  const formats = useFormats()
  const rows: readonly (readonly [string, string, string])[] = [
    [words.entries, formats.number(index.entries), ''],
    [
      words.vectors,
      formats.number(index.vectors),
      index.vectorsWaiting > 0 ? words.waiting(index.vectorsWaiting) : words.noneWaiting,
    ],
    [words.documents, formats.number(index.documents), ''],
    [words.index, formats.bytes(index.bytes), words.modes[index.mode] ?? index.mode],
    [words.journal, formats.bytes(journalBytes), ''],
  ]
  return (
    <dl className="figures">
      {rows.map(([name, value, note]) => (
        <div key={name} className="panel">
          <dt className="soft">{name}</dt>
          <dd>
            <strong>{value}</strong>
            {note !== '' && <div className="soft small">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Charts({ health: { growth, growthIsWhole, briefs } }: { readonly health: HealthAnswer }) {
  const words = useWords(healthWords)
  const formats = useFormats()
  const days = growth.map(({ day }) => day)
  // Days of the journal are UTC. Noon is the same day in nearly every time zone.
  const labels = days.map(day => formats.shortDay(`${day}T12:00:00Z`))
  const common = { labels, format: formats.number, labelTitle: words.day }
  return (
    <div className="charts">
      <div className="panel">
        <Chart
          {...common}
          kind="line"
          title={words.growth}
          series={[{ name: words.entries, values: growth.map(({ entries }) => entries), variant: 'first' }]}
          {...(!growthIsWhole && { note: words.growthCut })}
        />
      </div>
      <div className="panel">
        <Chart
          {...common}
          kind="bars"
          title={words.changes}
          series={[
            { name: words.added, values: growth.map(({ added }) => added), variant: 'first' },
            { name: words.removed, values: growth.map(({ removed }) => removed), variant: 'second' },
          ]}
        />
      </div>
      <div className="panel">
        <Chart
          {...common}
          kind="bars"
          title={words.tokensByDay}
          series={[{ name: words.tokens, values: everyDay(days, briefs.byDay), variant: 'first' }]}
          note={
            briefs.given === 0 ? (
              <WithCode text={words.noBriefs} />
            ) : (
              words.briefsAll(briefs.given, briefs.silent, formats.number(briefs.tokens))
            )
          }
        />
      </div>
    </div>
  )
}

const SLO_LOOKS = { healthy: 'good', degraded: 'bad', insufficient: 'info' } as const

function Times({ health: { times, slo } }: { readonly health: HealthAnswer }) {
  const words = useWords(healthWords)
  return (
    <section className="panel stack">
      <h2>{words.times}</h2>
      <p>
        {words.slo}: <span className={`chip ${SLO_LOOKS[slo.state]}`}>{words.sloStates[slo.state]}</span>{' '}
        {slo.p95Ms !== null && (
          <span className="soft">{words.sloAbout(slo.samples, milliseconds(slo.p95Ms))}</span>
        )}
      </p>
      {times.length === 0 ? (
        <p className="soft">{words.noTimes}</p>
      ) : (
        <Scrolled label={words.times}>
          <table>
            <caption className="unseen">{words.timesAbout}</caption>
            <thead>
              <tr>
                <th scope="col">{words.what}</th>
                <th scope="col" className="amount">
                  p50
                </th>
                <th scope="col" className="amount">
                  p95
                </th>
                <th scope="col" className="amount">
                  p99
                </th>
                <th scope="col" className="amount">
                  {words.count}
                </th>
                <th scope="col">{words.target}</th>
              </tr>
            </thead>
            <tbody>
              {times.map(({ what, p50, p95, p99, count }) => (
                <tr key={what}>
                  <th scope="row">{words.names[what] ?? what}</th>
                  <td className="amount">{milliseconds(p50)}</td>
                  <td className="amount">{milliseconds(p95)}</td>
                  <td className="amount">{milliseconds(p99)}</td>
                  <td className="amount">{count}</td>
                  <td>
                    {what === 'retrieval' && (
                      <span className={`chip ${p95 <= RETRIEVAL_TARGET_MS ? 'good' : 'bad'}`}>
                        {p95 <= RETRIEVAL_TARGET_MS ? words.within : words.above} {RETRIEVAL_TARGET_MS} ms
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
    </section>
  )
}

function HookFailures({ health: { hookFailures } }: { readonly health: HealthAnswer }) {
  const words = useWords(healthWords)
  return (
    <section className="panel stack">
      <h2>{words.hooks}</h2>
      {hookFailures.length === 0 ? (
        <p className="soft">{words.noHookFailures}</p>
      ) : (
        <>
          <p className="soft">
            <WithCode text={words.hookHint} />
          </p>
          <Scrolled label={words.hooks}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{words.when}</th>
                  <th scope="col">{words.host}</th>
                  <th scope="col">{words.event}</th>
                  <th scope="col">{words.failure}</th>
                </tr>
              </thead>
              <tbody>
                {hookFailures.map(({ at, host, event, code, message }) => (
                  <tr key={`${at} ${host} ${event} ${message}`}>
                    <td>
                      <Moment at={at} isFull />
                    </td>
                    <td>{visibleText(host)}</td>
                    <td>{visibleText(event)}</td>
                    <td>
                      <code>{visibleText(code)}</code> <NoticeText notice={{ code, message }} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolled>
        </>
      )}
    </section>
  )
}

function Disk({ health: { disk } }: { readonly health: HealthAnswer }) {
  const words = useWords(healthWords)
  const formats = useFormats()
  const max = Math.max(1, ...disk.map(({ bytes }) => bytes))
  return (
    <section className="panel stack">
      <h2>{words.disk}</h2>
      <ul className="plain-list disk">
        {disk.map(({ folder, bytes, files }) => (
          <li key={folder}>
            <span>{folder === '.' ? words.folderRoot : <code>{visibleText(folder)}</code>}</span>
            <Meter
              label={folder === '.' ? words.folderRoot : folder}
              value={bytes}
              max={max}
              text={`${formats.bytes(bytes)}, ${words.filesOf(files)}`}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Model({ model }: { readonly model: Answered<'status'>['model'] }) {
  const words = useWords(healthWords)
  const formats = useFormats()
  const { today, caps, name, lastFailure } = model
  const tokens = today.inputTokens + today.outputTokens
  return (
    <section className="panel stack">
      <h2>{words.model}</h2>
      {name === null ? (
        <p className="soft">{words.modelOff}</p>
      ) : (
        <>
          <p>
            <code>{visibleText(name)}</code>{' '}
            {words.modelToday(today.calls, formats.number(tokens), dollars(today.microUsd))}
          </p>
          <Meter
            label={words.modelTokens}
            value={tokens}
            max={caps.tokens}
            text={`${formats.number(tokens)} / ${formats.number(caps.tokens)}`}
            variant={caps.reached ? 'bad' : 'good'}
          />
        </>
      )}
      {lastFailure !== null && (
        <div className="notice warn">
          {words.modelFailed} (<Moment at={lastFailure.at} />
          ): <NoticeText notice={{ code: 'model_failed', message: lastFailure.message }} />
        </div>
      )}
    </section>
  )
}
