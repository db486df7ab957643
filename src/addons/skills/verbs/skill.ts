import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import {
  defineOperation,
  degradedSchema,
  flag,
  list,
  problemsSchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import type { Skill } from '../../rules/decide/skill-file.ts'
import { hostsToLink } from '../../rules/linking.ts'
import { hostFields, linkFields, linkResultSchema, linkResults } from '../../rules/verbs/hot-schemas.ts'
import {
  getSkill,
  linkSkills,
  listSkills,
  removeSkill,
  saveSkill,
  skillLinks,
  skillsFolder,
  unlinkSkills,
} from '../skills.ts'

const skillSchema = v.object({
  name: v.string(),
  description: v.string(),
  scope: v.pipe(v.string(), v.description('workspace, or workspace/domain; empty: the whole project')),
  tags: v.array(v.string()),
  path: v.pipe(v.string(), v.description('Relative to the project')),
  tokens: v.number(),
})

function skillView({ name, description, scope, tags, path, text: body }: Skill) {
  return { name, description, scope, tags: [...tags], path, tokens: estimateTokens(body) }
}

export const skillSaveOperation = defineOperation({
  name: 'skill save',
  group: 'Project state',
  agent: 'free',
  tool: {
    name: 'skills',
    action: 'save',
    answer: async () => (await import('../present-to-agents.ts')).skillRows,
  },
  runs: 'checkout',
  summary: 'Save a procedure as a skill that hosts find automatically',
  description:
    'Writes agent/skills/{workspace}/{domain}/{name}/SKILL.md with the front matter hosts read, free of secrets, and links it into the skill folder of every host the project has. `cairn undo` takes the file back.',
  positionals: ['name', 'body'],
  input: v.object({
    name: text('What it is called: lowercase letters, digits and hyphens'),
    description: text('What it does and when to use it, in a sentence or two: hosts decide by it'),
    body: v.optional(text('The instructions, in Markdown; - reads standard input')),
    file: v.optional(text('Read the instructions from this file of the project')),
    workspace: v.optional(text('The workspace it belongs to (default: the whole project)')),
    domain: v.optional(text('The domain of the workspace')),
    tags: v.optional(list('Tags')),
    replace: v.optional(flag('Write a skill of this name anew')),
    link: v.optional(flag('Link it into the hosts’ folders (default; --no-link does not)')),
    dryRun: v.optional(flag('Check everything without writing')),
  }),
  output: v.object({
    skill: skillSchema,
    outcome: v.picklist(['added', 'replaced', 'unchanged']),
    redacted: v.pipe(
      v.array(v.object({ field: v.picklist(['description', 'body', 'tags']), type: v.string() })),
      v.description('Secrets that were removed; never their value'),
    ),
    links: v.array(linkResultSchema),
    isDryRun: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    {
      command:
        'cairn skill save release-notes --description "Write release notes from merged changes; use before a release." "1. List what was merged …"',
      does: 'from text',
    },
    {
      command: 'cairn skill save rotate-keys --workspace infra --description "…" --file notes/rotate.md',
      does: 'from a file, for one workspace',
    },
  ],
  async run(memory, input) {
    const { replace = false, link = true, dryRun = false, file, body, ...rest } = input
    const given = body ?? (file === undefined ? '' : ((await memory.projectTexts.read(file)) ?? noFile(file)))
    const { description, tags, workspace, domain } = rest
    const saved = await saveSkill(
      memory,
      {
        name: rest.name,
        description,
        body: given,
        ...(workspace !== undefined && { workspace }),
        ...(domain !== undefined && { domain }),
        ...(tags !== undefined && { tags }),
      },
      { replace, link, dryRun },
    )
    return {
      skill: skillView(saved.skill),
      outcome: saved.outcome,
      redacted: saved.redacted.map(part => ({ ...part })),
      links: linkResults(saved.links),
      isDryRun: dryRun,
      record: saved.record,
      degraded: memory.store.takeDegraded(),
    }
  },
})

function noFile(file: string): never {
  throw new CairnError({
    code: 'file_not_found',
    message: `File not found in the project: ${file.slice(0, 120)}.`,
    hint: 'Name a file relative to the project, or give the instructions as text.',
  })
}

export const skillListOperation = defineOperation({
  name: 'skill list',
  group: 'Project state',
  agent: 'reads',
  tool: {
    name: 'skills',
    action: 'list',
    title: 'Skills',
    description: 'List skills, or save how something is done.',
    fields: {
      name: '',
      description: '',
      body: '',
      workspace: '',
      domain: '',
      replace: '',
    },
    effect: 'writes',
    answer: async () => (await import('../present-to-agents.ts')).skillRows,
  },
  runs: 'checkout',
  summary: 'List the skills, the hosts that have them, and the problems of invalid ones',
  positionals: [],
  input: v.object({ workspace: v.optional(text('Only those of this workspace')) }),
  output: v.object({
    folder: v.string(),
    skills: v.array(v.object({ ...skillSchema.entries, hosts: v.array(v.string()) })),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn skill list', does: 'all of them' }],
  async run(memory, { workspace }) {
    const { skills, problems } = await listSkills(memory)
    const links = await skillLinks(memory)
    return {
      folder: await skillsFolder(memory),
      skills: skills
        .filter(({ scope }) => workspace === undefined || scope.split('/')[0] === workspace)
        .map(skill => ({ ...skillView(skill), hosts: [...(links.hostsByName.get(skill.name) ?? [])] })),
      problems: [...problems, ...links.problems],
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const skillShowOperation = defineOperation({
  name: 'skill show',
  group: 'Project state',
  agent: 'reads',
  runs: 'checkout',
  summary: 'Show a skill',
  positionals: ['name'],
  input: v.object({ name: text('What it is called') }),
  output: v.object({ skill: skillSchema, text: v.string(), degraded: degradedSchema }),
  examples: [{ command: 'cairn skill show release-notes', does: 'its SKILL.md' }],
  async run(memory, { name }) {
    const skill = await getSkill(memory, name)
    // A handwritten skill may contain a secret that must not be repeated.
    const clean = redact(skill.text, redactionOptions(await memory.config())).text
    return { skill: skillView(skill), text: clean, degraded: memory.store.takeDegraded() }
  },
})

export const skillRemoveOperation = defineOperation({
  name: 'skill remove',
  group: 'Project state',
  agent: 'free',
  runs: 'checkout',
  summary: 'Remove a skill and its links',
  description: '`cairn undo` brings the file back, `cairn skill link` the links.',
  positionals: ['name'],
  input: v.object({
    name: text('What it is called'),
    dryRun: v.optional(flag('Show what would be removed without removing it')),
  }),
  output: v.object({
    skill: skillSchema,
    links: v.array(linkResultSchema),
    isDryRun: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn skill remove release-notes', does: 'the file and its links' }],
  async run(memory, { name, dryRun = false }) {
    const { skill, links, record } = await removeSkill(memory, name, { dryRun })
    return {
      skill: skillView(skill),
      links: linkResults(links),
      isDryRun: dryRun,
      record,
      degraded: memory.store.takeDegraded(),
    }
  },
})

const linkAnswer = {
  results: v.array(linkResultSchema),
  notes: v.pipe(v.array(v.string()), v.description('What a person must do first')),
  isDryRun: v.boolean(),
  degraded: degradedSchema,
}

export const skillLinkOperation = defineOperation({
  name: 'skill link',
  group: 'Project state',
  agent: 'free',
  runs: 'checkout',
  summary: 'Link every skill into each host’s skill folder',
  description:
    'Relative symlinks, or copies with a marker. Nothing that is not ours is touched; links of skills that are gone are removed.',
  positionals: [],
  input: v.object(linkFields),
  output: v.object(linkAnswer),
  examples: [
    { command: 'cairn skill link', does: 'for every host that the project has' },
    { command: 'cairn skill link --host opencode', does: 'for one' },
  ],
  async run(memory, { host, copy = false, dryRun = false }) {
    const results = await linkSkills(memory, {
      copies: copy,
      dryRun,
      ...(host !== undefined && { hosts: host }),
    })
    const hasHost = (await hostsToLink(memory, host)).some(({ skills }) => skills !== undefined)
    const notes = hasHost
      ? []
      : ['No host with a folder of skills was found: name one with --host, for example --host claude-code.']
    return { results: linkResults(results), notes, isDryRun: dryRun, degraded: memory.store.takeDegraded() }
  },
})

export const skillUnlinkOperation = defineOperation({
  name: 'skill unlink',
  group: 'Project state',
  agent: 'free',
  runs: 'checkout',
  summary: 'Take the links and copies of skills away again',
  positionals: [],
  input: v.object({
    ...hostFields,
    dryRun: v.optional(flag('Show what would be removed without removing it')),
  }),
  output: v.object(linkAnswer),
  examples: [{ command: 'cairn skill unlink --host codex', does: 'for one host' }],
  async run(memory, { host, dryRun = false }) {
    const results = await unlinkSkills(memory, { dryRun, ...(host !== undefined && { hosts: host }) })
    return {
      results: linkResults(results),
      notes: [],
      isDryRun: dryRun,
      degraded: memory.store.takeDegraded(),
    }
  },
})
