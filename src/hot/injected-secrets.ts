import type { Engine } from '../engine-parts.ts'
import { CairnError } from '../model/errors.ts'
import type { Problem } from '../model/search.ts'
import { projectFolder } from '../pipeline/hot/project-folder.ts'
import { redact } from '../text/redaction/redact.ts'
import { redactionOptions } from '../text/redaction/redaction-options.ts'
import { readHotFiles } from './hot-files.ts'

const MAX_PROBLEMS = 20
const SKILL_LEVELS = 5

/**
 * Secrets in the files that agents read: the text of the project, of which briefs leave them out, and rules and skills, which hosts read
 * themselves. Mail addresses are there on purpose.
 */
export async function injectedSecrets(engine: Engine): Promise<Problem[]> {
  try {
    return await findSecrets(engine)
  } catch (error) {
    // A folder outside the project, or an exception that is not a pattern: nothing can be looked at before it is corrected.
    if (!(error instanceof CairnError) || error.code !== 'config_value_invalid') throw error
    const { code, message, hint } = error
    return [{ code, path: 'config.json', message, hint }]
  }
}

async function findSecrets(engine: Engine): Promise<Problem[]> {
  const { allow = [] } = redactionOptions(await engine.config())
  const problems: Problem[] = []
  const check = (path: string, text: string, consequence: string) => {
    for (const { type, line } of redact(text, { emails: false, allow }).redacted)
      problems.push({
        code: 'secret_in_file',
        path,
        line,
        message: `This looks like a secret (${type}). ${consequence}`,
        hint: 'Remove it from the file, and change the secret if it was shared.',
      })
  }
  const project = await engine.projectText()
  if (project !== undefined) check('_project.md', project, 'Briefs leave it out.')
  if (engine.place.kind === 'folder') {
    const { common, ofHosts } = await readHotFiles(engine)
    const rules = [...common, ...ofHosts]
    for (const { path, text } of [...rules, ...(await readSkills(engine))])
      check(path, text, 'Hosts give this file to their agents as it is.')
  }
  return problems.slice(0, MAX_PROBLEMS)
}

async function readSkills(
  engine: Engine,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const folder = projectFolder((await engine.config())['skills.folder'], 'skills.folder')
  const { paths } = await engine.hotFiles.list(folder, SKILL_LEVELS)
  const found: { path: string; text: string }[] = []
  for (const path of paths.filter(name => name.endsWith('.md'))) {
    const reading = await engine.hotFiles.read(path)
    if (reading.kind === 'text') found.push({ path, text: reading.text })
  }
  return found
}
