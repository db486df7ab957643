import { addressOfProject, hubProject, useSelf } from '../api/hub.ts'
import { signOut } from '../api/token.ts'
import { useWords } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { hubWords } from './words.ts'

/** The signed-in user, their scope in this project, and the links to the other projects. */
export function HubProject() {
  const words = useWords(hubWords)
  const self = useSelf()
  if (self === undefined || hubProject === undefined) return null
  const scope = self.projects.find(({ name }) => name === hubProject)?.scope ?? 'read'
  return (
    <div className="project hub-project">
      <Select
        label={words.project}
        value={hubProject}
        choices={self.projects.map(({ name }) => ({ value: name, label: visibleText(name) }))}
        onChoose={name => location.assign(addressOfProject(name))}
      />
      <a href="/" className="small">
        {words.allProjects}
      </a>
      <span className="small">
        {words.signedInAs(visibleText(self.name))}
        <span className="soft"> · {words.scopes[scope]}</span>
      </span>
      <Button
        variant="plain"
        onClick={() => {
          signOut()
          location.assign('/')
        }}
      >
        {words.signOut}
      </Button>
    </div>
  )
}
