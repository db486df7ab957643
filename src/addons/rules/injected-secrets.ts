import { hasPorts } from '../../kernel/checkout.ts'
import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { type RedactOptions, redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { RulePorts } from './decide/ports.ts'
import { projectFolder } from './decide/project-folder.ts'
import { readHotFiles } from './hot-files.ts'

const MAX_PROBLEMS = 20
const SKILL_LEVELS = 5

interface CheckedFile {
  readonly path: string
  readonly text: string
}

/**
 * Secrets in files that agents read: the project text (briefs redact it), and rules and skills (hosts read these directly). Mail
 * addresses are there on purpose.
 */
export async function injectedSecrets(memory: Memory & Partial<RulePorts>): Promise<Problem[]> {
  const { allow = [] } = await unlessMisconfigured<RedactOptions>({}, async () =>
    redactionOptions(await memory.config()),
  )
  const problemsOf = ({ path, text }: CheckedFile, consequence: string) =>
    redact(text, { emails: false, allow }).redacted.map(
      ({ type, line }): Problem => ({
        code: 'secret_in_file',
        path,
        line,
        message: `This looks like a secret (${type}). ${consequence}`,
        hint: 'Remove it from the file, and change the secret if it was shared.',
      }),
    )
  const project = { path: '_project.md', text: (await memory.projectText()) ?? '' }
  const ofHosts = hasPorts(memory, 'hotFiles')
    ? await unlessMisconfigured([], () => rulesAndSkills(memory))
    : []
  return [
    ...problemsOf(project, 'Briefs leave it out.'),
    ...ofHosts.flatMap(file => problemsOf(file, 'Hosts give this file to their agents as it is.')),
  ].slice(0, MAX_PROBLEMS)
}

/** A folder outside the project is not read; `cairn validate` reports the setting. */
export async function unlessMisconfigured<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'config_value_invalid') throw error
    return otherwise
  }
}

async function rulesAndSkills(memory: Memory & RulePorts): Promise<readonly CheckedFile[]> {
  const { common, ofHosts } = await readHotFiles(memory)
  const folder = projectFolder((await memory.config())['skills.folder'], 'skills.folder')
  const { paths } = await memory.hotFiles.list(folder, SKILL_LEVELS)
  const skills: CheckedFile[] = []
  for (const path of paths.filter(name => name.endsWith('.md'))) {
    const reading = await memory.hotFiles.read(path)
    if (reading.kind === 'text') skills.push({ path, text: reading.text })
  }
  return [...common, ...ofHosts, ...skills]
}
