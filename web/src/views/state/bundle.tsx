import type { Answered } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { readSource } from './state-model.ts'
import { stateWords } from './words.ts'

type Shown = NonNullable<Answered<'query'>['bundle']>
type Item = NonNullable<Shown['gotchas']>[number]

/** The state of the project, section by section. */
export function BundleView({ bundle }: { readonly bundle: Shown }) {
  const words = useWords(stateWords)
  const { project, currentFocus, gotchas, nextSteps, validationCommands, projectMap } = bundle
  return (
    <div className="stack">
      {project !== undefined && (
        <div>
          <strong>{visibleText(project.name)}</strong>
          {project.description !== undefined && <p className="soft">{visibleText(project.description)}</p>}
        </div>
      )}
      <div className="bundle">
        <Items title={words.sections.currentFocus} items={currentFocus} none={words.noFocus} />
        <Items title={words.sections.gotchas} items={gotchas} none={words.noGotchas} />
        <Items title={words.sections.nextSteps} items={nextSteps} none={words.noSteps} />
        <section className="panel">
          <h3>{words.sections.validationCommands}</h3>
          {validationCommands === undefined || validationCommands.length === 0 ? (
            <p className="soft">{words.noChecks}</p>
          ) : (
            <ul className="plain-list items">
              {validationCommands.map(({ command, lastOutcome, lastRunAt }) => (
                <li key={command}>
                  <code>{visibleText(command)}</code>{' '}
                  {lastOutcome !== undefined && (
                    <span className={`chip ${lastOutcome === 'passed' ? 'good' : 'bad'}`}>
                      {lastOutcome === 'passed' ? words.passed : words.failed}
                    </span>
                  )}{' '}
                  {lastRunAt !== undefined && (
                    <span className="soft small">
                      <Moment at={lastRunAt} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
      {projectMap !== undefined && <ProjectMap map={projectMap} />}
    </div>
  )
}

function Items({
  title,
  items,
  none,
}: {
  readonly title: string
  readonly items: readonly Item[] | undefined
  readonly none: string
}) {
  const words = useWords(stateWords)
  return (
    <section className="panel">
      <h3>{title}</h3>
      {items === undefined || items.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <ul className="plain-list items">
          {items.map(({ text, since, sources, files }) => (
            <li key={text}>
              <div>{visibleText(text)}</div>
              <div className="row small soft">
                <span>
                  {words.since} <Moment at={since} />
                </span>
                {files?.map(file => (
                  <code key={file}>{visibleText(file)}</code>
                ))}
                {sources.map(text => {
                  const source = readSource(text)
                  return source.kind === 'entry' ? (
                    <a key={text} href={linkToEntry(source.id)}>
                      {words.sourceEntry}
                    </a>
                  ) : null
                })}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ProjectMap({ map }: { readonly map: NonNullable<Shown['projectMap']> }) {
  const words = useWords(stateWords)
  const parts: readonly (readonly [string, readonly string[]])[] = [
    [words.languages, map.languages.map(({ name, files }) => `${name} (${files})`)],
    [words.packages, map.packages.map(({ name, path, kind }) => `${name}: ${path} (${kind})`)],
    [words.entryPoints, map.entryPoints.map(({ path, what }) => `${path}: ${what}`)],
    [words.scripts, map.scripts.map(({ name, command }) => `${name}: ${command}`)],
    [words.folders, map.folders.map(({ path, files }) => `${path} (${files})`)],
  ]
  return (
    <details className="panel">
      <summary>{words.sections.projectMap}</summary>
      {parts
        .filter(([, lines]) => lines.length > 0)
        .map(([title, lines]) => (
          <div key={title}>
            <strong className="small">{title}</strong>
            <ul>
              {lines.map(line => (
                <li key={line}>{visibleText(line)}</li>
              ))}
            </ul>
          </div>
        ))}
    </details>
  )
}
