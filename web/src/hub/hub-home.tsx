import { useState } from 'react'
import { addressOfProject, type Self } from '../api/hub.ts'
import { signOut } from '../api/token.ts'
import { setTheme, THEMES, useTheme } from '../frame/theme.ts'
import { LANGUAGES, useLanguage, useWords } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { frameWords } from '../words.ts'
import { AuditTab } from './audit-tab.tsx'
import { PrincipalsTab } from './principals-tab.tsx'
import { ProjectsTab } from './projects-tab.tsx'
import { Tokens, TokensTab } from './tokens-tab.tsx'
import { hubWords } from './words.ts'

const PARTS = ['projects', 'tokens', 'principals', 'audit'] as const
type Part = (typeof PARTS)[number]
const LANGUAGE_NAMES = { en: 'English', pt: 'Português' } as const

/** The page of the hub itself: the user's projects, and administration for admins. */
export function HubHome({ self, isLost }: { readonly self: Self; readonly isLost: boolean }) {
  const words = useWords(hubWords)
  return (
    <main className="hub-home stack" id="content" tabIndex={-1}>
      <HubHead self={self} />
      {isLost && (
        <p className="notice warn" role="status">
          {words.notThere}
        </p>
      )}
      <section className="stack" aria-labelledby="hub-projects">
        <h2 id="hub-projects">{words.projects}</h2>
        {self.projects.length === 0 ? (
          <p className="panel">
            {words.noProjects} {self.isAdmin ? words.noProjectsAdmin : words.noProjectsHint}
          </p>
        ) : (
          <ul className="hub-cards">
            {self.projects.map(({ name, scope }) => (
              <li key={name}>
                <a className="panel" href={addressOfProject(name)}>
                  <strong>{visibleText(name)}</strong>
                  <span className="soft small">{words.scopes[scope]}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </section>
      {self.isAdmin ? <Administration /> : <OwnTokens self={self} />}
      <Toasts />
    </main>
  )
}

/** Admins of projects, but not of the hub, create tokens for their projects. */
function OwnTokens({ self }: { readonly self: Self }) {
  const words = useWords(hubWords)
  const own = self.projects.filter(({ scope }) => scope === 'admin').map(({ name }) => name)
  if (own.length === 0) return null
  return (
    <section className="stack" aria-labelledby="hub-tokens">
      <h2 id="hub-tokens">{words.tokens}</h2>
      <Tokens projects={own} hasEveryProject={false} />
    </section>
  )
}

function HubHead({ self }: { readonly self: Self }) {
  const words = useWords(hubWords)
  const frame = useWords(frameWords)
  const theme = useTheme()
  const { language, setLanguage } = useLanguage()
  return (
    <header className="hub-head">
      <h1>
        <img src="/cairn.svg" alt="" width="28" height="28" /> Cairn {words.title}
      </h1>
      <p className="small">
        {words.signedInAs(visibleText(self.name))} <span className="soft">({words.kinds[self.kind]})</span>
      </p>
      <div className="row">
        <Select
          label={frame.theme}
          isLabelHidden
          value={theme}
          choices={THEMES.map(value => ({ value, label: frame.themes[value] ?? value }))}
          onChoose={setTheme}
        />
        <Select
          label={frame.language}
          isLabelHidden
          value={language}
          choices={LANGUAGES.map(value => ({ value, label: LANGUAGE_NAMES[value] }))}
          onChoose={setLanguage}
        />
        <Button
          onClick={() => {
            signOut()
            location.assign('/')
          }}
        >
          {words.signOut}
        </Button>
      </div>
    </header>
  )
}

function Administration() {
  const words = useWords(hubWords)
  const [part, setPart] = useState<Part>('projects')
  return (
    <section className="stack" aria-labelledby="hub-administration">
      <h2 id="hub-administration">{words.administration}</h2>
      <Tabs
        label={words.parts}
        tabs={PARTS.map(name => ({ name, label: words[name] }))}
        chosen={part}
        onChoose={name => setPart(name)}
      >
        {part === 'projects' && <ProjectsTab />}
        {part === 'tokens' && <TokensTab />}
        {part === 'principals' && <PrincipalsTab />}
        {part === 'audit' && <AuditTab />}
      </Tabs>
    </section>
  )
}
