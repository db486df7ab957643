import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { HOST_FOLDERS, type HostRuleFolders } from '../rules/decide/host-folders.ts'
import type { WantedLink } from '../rules/decide/plan-links.ts'
import type { RulePorts } from '../rules/decide/ports.ts'
import { projectFolder } from '../rules/decide/project-folder.ts'
import {
  checkDescription,
  checkSkillName,
  checkSkillScope,
  readSkill,
  renderSkill,
  SKILL_FILE,
  type Skill,
  type SkillScope,
  skillFrontMatter,
  withoutDuplicates,
} from '../rules/decide/skill-file.ts'
import {
  applyLinks,
  hostsToLink,
  inspectLinks,
  type LinkResult,
  type LinkSet,
  plannedResults,
  removeLinks,
} from '../rules/linking.ts'

/** A skill explains one task; longer text belongs in files next to it. */
const MAX_BODY = 65_536

export interface NewSkill extends SkillScope {
  readonly name: string
  readonly description: string
  /** Markdown: the steps. */
  readonly body: string
  readonly tags?: readonly string[]
}

interface SavedSkill {
  readonly skill: Skill
  readonly outcome: 'added' | 'replaced' | 'unchanged'
  /** Secrets that were removed, with their field; never their values. */
  readonly redacted: readonly { readonly field: 'description' | 'body' | 'tags'; readonly type: string }[]
  readonly links: readonly LinkResult[]
  readonly record: string | null
}

/** Stores what an agent learned to do in the place where hosts find it. */
export async function saveSkill(
  memory: Memory & RulePorts,
  input: NewSkill,
  { replace = false, link = true, dryRun = false } = {},
): Promise<SavedSkill> {
  const folder = await skillsFolder(memory)
  const { skill, redacted } = await checkedSkill(memory, input, folder)
  const { name, path, text } = skill
  const { skills } = await listSkills(memory)
  const other = skills.find(known => known.name === name && known.path !== path)
  if (other !== undefined) throw nameTaken(name, other.path)
  let outcome: SavedSkill['outcome'] = 'added'
  const decide = (before: string | undefined) => {
    outcome = before === undefined ? 'added' : before === text ? 'unchanged' : 'replaced'
    if (outcome === 'replaced' && !replace) throw nameTaken(name, path)
  }
  if (dryRun) {
    const reading = await memory.hotFiles.read(path)
    decide(reading.kind === 'text' ? reading.text : undefined)
    return { skill, outcome, redacted, links: [], record: null }
  }
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readFile(path)
    decide(before)
    return { action: 'edit-files', changes: [{ type: 'file', path, before: before ?? null, after: text }] }
  })
  const links = link ? await linkSkills(memory, {}, [name]) : []
  return { skill, outcome, redacted, links, record: record?.id ?? null }
}

/** Validated with the rules of the hosts, and redacted. */
async function checkedSkill(
  memory: Memory,
  input: NewSkill,
  folder: string,
): Promise<Pick<SavedSkill, 'skill' | 'redacted'>> {
  const name = checkSkillName(input.name)
  const scope = checkSkillScope(input)
  const options = redactionOptions(await memory.config())
  const redacted: { field: 'description' | 'body' | 'tags'; type: string }[] = []
  const clean = (field: 'description' | 'body' | 'tags', given: string) => {
    const { text, redacted: found } = redact(given, options)
    for (const { type } of found) redacted.push({ field, type })
    return text
  }
  const description = checkDescription(clean('description', input.description))
  const body = clean('body', input.body).trim()
  if (body === '' || body.length > MAX_BODY) throw badBody(body.length)
  const tags = (input.tags ?? []).map(tag => clean('tags', tag).trim()).filter(tag => tag !== '')
  const path = [folder, scope, name, SKILL_FILE].filter(part => part !== '').join('/')
  const text = renderSkill({ name, description, tags, scope, body })
  return { skill: { name, description, tags, scope, path, text }, redacted }
}

export async function skillsFolder(memory: Memory): Promise<string> {
  return projectFolder((await memory.config())['skills.folder'], 'skills.folder')
}

/** Workspace, domain, repository, the skill's own folder. */
const LEVELS = 5

/** Every valid skill, and what is wrong with the other files. */
export async function listSkills(memory: Memory & RulePorts): Promise<{
  readonly skills: readonly Skill[]
  /** Every SKILL.md, including invalid ones. */
  readonly files: readonly string[]
  readonly problems: readonly Problem[]
}> {
  const folder = await skillsFolder(memory)
  const { paths, missing } = await memory.hotFiles.list(folder, LEVELS)
  const problems: Problem[] =
    missing === undefined ? [] : [problem(folder, missing, 'Keep skills alone in it, inside the project.')]
  const found: Skill[] = []
  const files = paths.filter(path => path.endsWith(`/${SKILL_FILE}`))
  for (const path of files) {
    const reading = await memory.hotFiles.read(path)
    if (reading.kind === 'absent') continue
    if (reading.kind === 'unreadable') {
      problems.push(problem(path, reading.why, 'Replace it by a plain text file, or remove it.'))
      continue
    }
    const fields = await frontMatterOf(path, reading.text)
    if (fields.kind === 'problem') problems.push(fields.problem)
    else {
      const read = readSkill(path, reading.text, { folder, fields: fields.value })
      if (read.skill !== undefined) found.push(read.skill)
      problems.push(...read.problems)
    }
  }
  const { skills, problems: duplicates } = withoutDuplicates(found)
  return { skills, files, problems: [...problems, ...duplicates] }
}

async function frontMatterOf(
  path: string,
  text: string,
): Promise<
  | { readonly kind: 'fields'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly problem: Problem }
> {
  const source = skillFrontMatter(text)
  const expected = 'Expected: a first line ---, then `name:` and `description:`, then a line ---.'
  if (source === undefined)
    return { kind: 'problem', problem: problem(path, 'has no front matter', expected, 1) }
  const { parseDocument } = await import('yaml')
  const document = parseDocument(source, { prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) {
    const line = source.slice(0, error.pos[0]).split('\n').length + 1
    return {
      kind: 'problem',
      problem: problem(path, `has front matter that is not YAML (${error.code})`, expected, line),
    }
  }
  return { kind: 'fields', value: document.toJS({ maxAliasCount: 10 }) }
}

function problem(path: string, why: string, hint: string, line?: number): Problem {
  return {
    code: 'skill_invalid',
    path,
    ...(line !== undefined && { line }),
    message: `${path} ${why}.`,
    hint,
  }
}

export async function getSkill(memory: Memory & RulePorts, name: string): Promise<Skill> {
  const { skills } = await listSkills(memory)
  const skill = skills.find(known => known.name === name.trim())
  if (skill !== undefined) return skill
  throw new CairnError({
    code: 'skill_not_found',
    message: `Skill not found: "${name.slice(0, 64)}".`,
    hint: '`cairn skill list` shows the skills, and the problems of invalid files.',
  })
}

/** Removes the file and its links; `cairn undo` restores the file. */
export async function removeSkill(
  memory: Memory & RulePorts,
  name: string,
  { dryRun = false } = {},
): Promise<{ readonly skill: Skill; readonly links: readonly LinkResult[]; readonly record: string | null }> {
  const skill = await getSkill(memory, name)
  const links = await unlinkSkills(memory, { dryRun }, [skill.name])
  if (dryRun) return { skill, links, record: null }
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readFile(skill.path)
    if (before === undefined) return null
    return { action: 'edit-files', changes: [{ type: 'file', path: skill.path, before, after: null }] }
  })
  return { skill, links, record: record?.id ?? null }
}

interface LinkSkillOptions {
  readonly hosts?: readonly string[]
  readonly copies?: boolean
  readonly dryRun?: boolean
}

export async function linkSkills(
  memory: Memory & RulePorts,
  { hosts: named, copies = false, dryRun = false }: LinkSkillOptions = {},
  names?: readonly string[],
): Promise<readonly LinkResult[]> {
  const hosts = (await hostsToLink(memory, named)).filter(({ skills }) => skills !== undefined)
  if (hosts.length === 0) return []
  const set = await skillLinkSet(memory, names)
  return dryRun
    ? plannedResults(await inspectLinks(memory, set, { hosts, copies }))
    : applyLinks(memory, set, { hosts, copies })
}

export async function unlinkSkills(
  memory: Memory & RulePorts,
  { hosts: named, dryRun = false }: Omit<LinkSkillOptions, 'copies'> = {},
  names?: readonly string[],
): Promise<readonly LinkResult[]> {
  // All hosts, because a link may remain after its host is no longer used.
  const hosts = named === undefined ? HOST_FOLDERS : await hostsToLink(memory, named)
  return removeLinks(memory, await skillLinkSet(memory, names), {
    hosts,
    dryRun,
    all: names === undefined,
  })
}

async function skillLinkSet(
  memory: Memory & RulePorts,
  names: readonly string[] | undefined,
): Promise<LinkSet> {
  const folder = await skillsFolder(memory)
  const { skills, files } = await listSkills(memory)
  const chosen = names === undefined ? skills : skills.filter(({ name }) => names.includes(name))
  return {
    kind: 'skill',
    folder,
    sources: new Set(files),
    // Orphans are only checked when all skills are linked.
    foldersOf: ({ skills: place }) => (place === undefined || names !== undefined ? [] : [place]),
    wantedFor: ({ host, skills: place }: HostRuleFolders) =>
      place === undefined
        ? []
        : chosen.map(({ name, path: source, text }): WantedLink => {
            const path = `${place}/${name}`
            const to = source.slice(0, -(SKILL_FILE.length + 1))
            return { host, path, copyPath: `${path}/${SKILL_FILE}`, to, source, text, form: 'link' }
          }),
  }
}

/** For each skill, by name, the hosts that have it, and what differs. */
export async function skillLinks(memory: Memory & RulePorts): Promise<{
  readonly hostsByName: ReadonlyMap<string, readonly string[]>
  readonly problems: readonly Problem[]
}> {
  const hosts = HOST_FOLDERS.filter(({ skills }) => skills !== undefined)
  const { plans, orphans } = await inspectLinks(memory, await skillLinkSet(memory, undefined), { hosts })
  const hostsByName = new Map<string, string[]>()
  const problems: Problem[] = []
  const drift = (path: string, message: string) =>
    problems.push({
      code: 'skill_link',
      path,
      message: `${path} ${message}.`,
      hint: '`cairn skill link` mends it.',
    })
  for (const { wanted, state } of plans) {
    const name = wanted.path.slice(wanted.path.lastIndexOf('/') + 1)
    if (state === 'linked' || state === 'copied')
      hostsByName.set(name, [...(hostsByName.get(name) ?? []), wanted.host])
    if (state === 'behind' || state === 'flat') drift(wanted.copyPath, `is behind ${wanted.source}`)
    if (state === 'edited') drift(wanted.copyPath, 'is a copy that was changed by hand, so it is not updated')
    if (state === 'taken')
      drift(wanted.path, `is in the place of the link to ${wanted.source}, and not one of ours`)
  }
  for (const { path } of orphans) drift(path, 'belongs to a skill that is gone')
  return { hostsByName, problems }
}

function nameTaken(name: string, path: string): CairnError {
  return new CairnError({
    code: 'file_exists',
    message: `There is a skill ${name} already: ${path}.`,
    hint: 'Choose another name, since hosts keep all skills in one folder; --replace writes this one anew.',
  })
}

function badBody(length: number): CairnError {
  return length === 0
    ? new CairnError({
        code: 'content_empty',
        message: 'A skill needs a body that says what to do.',
        hint: 'Give it as text, from a file (--file) or from standard input (-).',
      })
    : new CairnError({
        code: 'content_too_long',
        message: `The body of a skill has ${length} characters, and ${MAX_BODY} are taken.`,
        hint: 'Put the details into files next to SKILL.md and name them in it.',
      })
}
