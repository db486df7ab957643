import { CairnError } from '../../../kernel/model/errors.ts'
import type { Problem } from '../../../kernel/model/search.ts'

/** The form of a skill for hosts (docs/guide/skills.md): a folder with its name and a SKILL.md in it. */
export const SKILL_FILE = 'SKILL.md'
const MAX_NAME_LENGTH = 64
const MAX_DESCRIPTION_LENGTH = 1_024
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const SCOPE_PART = /^[a-z0-9][a-z0-9_-]{0,63}$/i
/** `memory` would hide a host's own command; the others are not valid file names on Windows. */
const TAKEN = /^(?:memory|con|prn|aux|nul|com\d|lpt\d)$/
/** Hosts refuse markup here, because the description is part of the prompt of every conversation. */
const MARKUP = /<\/?[a-z!][^>]*>/i
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m
/** The front matter of a skill is never longer. */
const MAX_FRONT_MATTER_LENGTH = 16_384

export interface SkillScope {
  readonly workspace?: string
  readonly domain?: string
}

export interface Skill {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  /** `devtools/common`; empty: the whole project. */
  readonly scope: string
  /** Its SKILL.md, relative to the project. */
  readonly path: string
  readonly text: string
}

/** Throws if the name is not valid. It becomes a folder and a command, and only these letters are safe for both everywhere. */
export function checkSkillName(name: string): string {
  const why = !NAME.test(name)
    ? 'has other characters than lowercase letters, digits and single hyphens'
    : name.length > MAX_NAME_LENGTH
      ? `has more than ${MAX_NAME_LENGTH} characters`
      : TAKEN.test(name) || /anthropic|claude/.test(name)
        ? 'is a name that hosts or systems keep for themselves'
        : undefined
  if (why === undefined) return name
  throw new CairnError({
    code: 'invalid_input',
    message: `The name of a skill, ${JSON.stringify(name.slice(0, 80))}, ${why}.`,
    hint: 'For example: deploy-to-staging',
  })
}

/** `devtools/common`, as folders below the folder of skills. */
export function checkSkillScope({ workspace, domain }: SkillScope): string {
  if (workspace === undefined && domain !== undefined) throw badScope(`the domain ${domain} has no workspace`)
  const parts = [workspace, domain].flatMap(part => (part === undefined ? [] : [part]))
  const wrong = parts.find(part => !SCOPE_PART.test(part) || TAKEN.test(part.toLowerCase()))
  if (wrong !== undefined)
    throw badScope(`${JSON.stringify(wrong.slice(0, 80))} has other characters than letters, digits, - and _`)
  return parts.join('/')
}

function badScope(why: string): CairnError {
  return new CairnError({
    code: 'scope_invalid',
    message: `The scope of a skill names folders, and ${why}.`,
    hint: 'For example: --workspace devtools --domain common',
  })
}

/** One line, as hosts show it. Throws if hosts would refuse it. */
export function checkDescription(description: string): string {
  const line = description.replace(/\s+/g, ' ').trim()
  const why = wrongWithDescription(line)
  if (why === undefined) return line
  throw new CairnError({
    code: 'invalid_input',
    message: `The description of a skill ${why}.`,
    hint: 'One or two sentences: what the skill does, and when to use it.',
  })
}

function wrongWithDescription(line: string): string | undefined {
  if (line === '') return 'is empty'
  if (line.length > MAX_DESCRIPTION_LENGTH)
    return `has ${line.length} characters, and hosts take ${MAX_DESCRIPTION_LENGTH}`
  return MARKUP.test(line) ? 'contains markup, which hosts refuse' : undefined
}

/** A JSON string is also a YAML string, so nothing in it can end the front matter. */
export function renderSkill(skill: {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly scope: string
  readonly body: string
}): string {
  const metadata = [
    ...(skill.scope === '' ? [] : [`  scope: ${JSON.stringify(skill.scope)}`]),
    ...(skill.tags.length === 0 ? [] : [`  tags: ${JSON.stringify(skill.tags.join(', '))}`]),
  ]
  const head = [
    '---',
    `name: ${skill.name}`,
    `description: ${JSON.stringify(skill.description)}`,
    ...(metadata.length === 0 ? [] : ['metadata:', ...metadata]),
    '---',
  ]
  return `${head.join('\n')}\n\n${skill.body.replace(/\r\n/g, '\n').trim()}\n`
}

/** The YAML between the two `---`, unparsed. */
export function skillFrontMatter(text: string): string | undefined {
  const found = FRONT_MATTER.exec(text)
  return found !== null &&
    found.index === 0 &&
    found[1] !== undefined &&
    found[1].length <= MAX_FRONT_MATTER_LENGTH
    ? found[1]
    : undefined
}

/** Parses a file as a skill, or reports what is wrong, by file and field. */
export function readSkill(
  path: string,
  text: string,
  { folder, fields }: { readonly folder: string; readonly fields: unknown },
): { readonly skill?: Skill; readonly problems: readonly Problem[] } {
  const parts = path.slice(folder.length + 1).split('/')
  const place = parts.at(-2) ?? ''
  const scope = parts.slice(0, -2).join('/')
  const problems: Problem[] = []
  const wrong = (field: string, what: string, expected: string) =>
    problems.push({
      code: 'skill_invalid',
      path,
      line: lineOf(text, field),
      message: `\`${field}\` ${what}.`,
      hint: `Expected: ${expected}`,
    })
  const given = typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {}
  const { name, description } = given
  if (typeof name !== 'string')
    wrong('name', name === undefined ? 'is missing' : 'is not text', `name: ${place}`)
  else if (!NAME.test(name) || name.length > MAX_NAME_LENGTH)
    wrong('name', 'is not a valid skill name', 'lowercase letters, digits and single hyphens, at most 64')
  else if (name !== place) wrong('name', `is ${name}, and its folder is called ${place}`, `name: ${place}`)
  if (typeof description !== 'string')
    wrong(
      'description',
      description === undefined ? 'is missing' : 'is not text',
      'one or two sentences: what it does, and when to use it',
    )
  else {
    const why = wrongWithDescription(description.trim())
    if (why !== undefined)
      wrong('description', why, `1 to ${MAX_DESCRIPTION_LENGTH} characters without markup`)
  }
  if (problems.length > 0) return { problems }
  return {
    skill: {
      name: name as string,
      description: (description as string).replace(/\s+/g, ' ').trim(),
      tags: tagsOf(given),
      scope,
      path,
      text,
    },
    problems,
  }
}

function tagsOf(fields: Readonly<Record<string, unknown>>): string[] {
  const metadata = fields.metadata as Record<string, unknown> | null | undefined
  const tags = fields.tags ?? (typeof metadata === 'object' ? metadata?.tags : undefined)
  const list = typeof tags === 'string' ? tags.split(',') : Array.isArray(tags) ? tags.map(String) : []
  return list.map(tag => tag.trim()).filter(tag => tag !== '')
}

function lineOf(text: string, field: string): number {
  const at = text.split('\n').findIndex(line => line.startsWith(`${field}:`))
  return at < 0 ? 1 : at + 1
}

/** A host's folder has room for one skill of each name; the first by path is used. */
export function withoutDuplicates(skills: readonly Skill[]): {
  readonly skills: readonly Skill[]
  readonly problems: readonly Problem[]
} {
  const byName = new Map<string, Skill>()
  const problems: Problem[] = []
  for (const skill of skills) {
    const first = byName.get(skill.name)
    if (first === undefined) byName.set(skill.name, skill)
    else
      problems.push({
        code: 'skill_duplicate',
        path: skill.path,
        line: lineOf(skill.text, 'name'),
        message: `\`name\` is ${skill.name}, as in ${first.path}: a host can be given one of them.`,
        hint: 'Give one of them another name, and its folder too.',
      })
  }
  return { skills: [...byName.values()], problems }
}
