import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { parseAgentId } from '../../../kernel/model/agent-id.ts'
import {
  type ConfigKey,
  type ConfigValue,
  configProblems,
  DEFAULT_CONFIG,
  isConfigKey,
  parseConfigKey,
  parseConfigValue,
  readKey,
  ruleOf,
  writeKey,
} from '../../../kernel/model/config.ts'
import { CONFIG_KEYS } from '../../../kernel/model/config-keys.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Degradation } from '../../../kernel/model/search.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { defineOperation, degradedSchema, recordSchema, text } from '../../../verbs/operation.ts'
import { readTemplates } from '../../state/decide/query-templates.ts'

const value = v.union([v.string(), v.number(), v.boolean(), v.pipe(v.array(v.string()), v.readonly())])
const settingSchema = v.object({
  key: v.string(),
  value,
  default: v.pipe(v.boolean(), v.description('True: not configured')),
  description: v.string(),
})

export const configListOperation = defineOperation({
  name: 'config list',
  group: 'Maintenance',
  agent: 'reads',
  worksForUser: true,
  route: { at: 'GET /api/config', access: 'read' },
  summary: 'Show every setting, its value and what it does',
  positionals: [],
  input: v.object({}),
  output: v.object({ settings: v.array(settingSchema), degraded: degradedSchema }),
  examples: [{ command: 'cairn config list', does: 'all settings' }],
  async run(memory) {
    const settings = await Promise.all(
      (Object.keys(CONFIG_KEYS) as ConfigKey[]).map(key => setting(memory, key)),
    )
    return { settings, degraded: [...memory.store.takeDegraded(), ...(await unusable(memory))] }
  },
})

export const configGetOperation = defineOperation({
  name: 'config get',
  group: 'Maintenance',
  agent: 'reads',
  worksForUser: true,
  summary: 'Show one setting',
  positionals: ['key'],
  input: v.object({ key: text('For example search.limit') }),
  output: v.object({ setting: settingSchema, degraded: degradedSchema }),
  examples: [{ command: 'cairn config get search.limit', does: 'one value' }],
  async run(memory, { key }) {
    const name = parseSettingKey(key)
    const found = await setting(memory, name)
    const wrong = isConfigKey(name) ? await unusable(memory, [name]) : []
    return { setting: found, degraded: [...memory.store.takeDegraded(), ...wrong] }
  },
})

export const configSetOperation = defineOperation({
  name: 'config set',
  group: 'Maintenance',
  agent: 'free',
  worksForUser: true,
  summary: 'Change a setting of this project',
  positionals: ['key', 'value'],
  input: v.object({
    key: text('For example search.limit'),
    value: text('The new value; lists are written a,b,c'),
  }),
  output: v.object({ setting: settingSchema, record: recordSchema, degraded: degradedSchema }),
  examples: [
    { command: 'cairn config set search.limit 20', does: 'stored in .memory/config.json' },
    {
      command: 'cairn config set query.templates.release.instructions "Write the release notes."',
      does: 'your own template',
    },
  ],
  async run(memory, input) {
    const key = parseSettingKey(input.key)
    checkNoSecret(key, input.value)
    const value = isConfigKey(key) ? parseConfigValue(key, input.value) : checkTemplate(key, input.value)
    if (isConfigKey(key)) checkUsable(key, value)
    const record = await editConfig(memory, key, value)
    return { setting: await setting(memory, key), record, degraded: memory.store.takeDegraded() }
  },
})

export const configUnsetOperation = defineOperation({
  name: 'config unset',
  group: 'Maintenance',
  agent: 'free',
  worksForUser: true,
  summary: 'Restore the default of a setting',
  positionals: ['key'],
  input: v.object({ key: text('For example search.limit') }),
  output: v.object({ setting: settingSchema, record: recordSchema, degraded: degradedSchema }),
  examples: [{ command: 'cairn config unset search.limit', does: 'restore the default' }],
  async run(memory, input) {
    const key = parseSettingKey(input.key)
    const record = await editConfig(memory, key, undefined)
    return { setting: await setting(memory, key), record, degraded: memory.store.takeDegraded() }
  },
})

/** For verbs of one setting: shows it, changes it, or restores its default. */
export async function changeSetting(
  memory: Memory,
  key: ConfigKey,
  wanted: string | undefined,
): Promise<{ readonly isChanged: boolean; readonly isDefault: boolean; readonly record: string | null }> {
  const before = (await memory.config())[key]
  const record =
    wanted === undefined
      ? null
      : await editConfig(memory, key, wanted === 'default' ? undefined : parseConfigValue(key, wanted))
  const { value: after, default: isDefault } = await setting(memory, key)
  return { isChanged: JSON.stringify(after) !== JSON.stringify(before), isDefault, record }
}

/** A key, or the instructions of a project's own template. */
type SettingKey = ConfigKey | TemplateKey
type TemplateKey = `query.templates.${string}.instructions`

function parseSettingKey(key: string): SettingKey {
  return isTemplateKey(key) ? key : parseConfigKey(key)
}

function isTemplateKey(key: string): key is TemplateKey {
  return key.startsWith('query.templates.') && key.endsWith('.instructions') && key.split('.').length === 4
}

function checkTemplate(key: TemplateKey, value: string): string {
  const [wrong] = readTemplates({ [nameIn(key)]: { instructions: value } }).problems
  if (wrong === undefined) return value
  throw new CairnError({
    code: 'config_value_invalid',
    message: `${wrong}.`,
    hint: 'For example: cairn config set query.templates.release.instructions "Write the release notes."',
  })
}

function nameIn(key: TemplateKey): string {
  return key.split('.')[2] ?? ''
}

async function setting(memory: Memory, key: SettingKey): Promise<v.InferOutput<typeof settingSchema>> {
  const document = await memory.store.readDocument('config.json')
  if (!isConfigKey(key)) {
    const { templates } = readTemplates(readKey(document, 'query.templates'))
    const template = templates.find(({ name }) => name === nameIn(key))
    return {
      key,
      value: template?.instructions ?? '',
      default: template?.origin !== 'project',
      description: `The text before a prompt of \`cairn query --template ${nameIn(key)}\``,
    }
  }
  const config = await memory.config()
  return {
    key,
    value: config[key],
    default: readKey(document, key) === undefined,
    description: ruleOf(key).description,
  }
}

/** Values in the file for these settings that are invalid and ignored. */
async function unusable(memory: Memory, keys?: readonly ConfigKey[]): Promise<Degradation[]> {
  const problems = configProblems(await memory.store.readDocument('config.json'), keys)
  return problems.map(({ code, message }) => ({ code, message }))
}

/** config.json and the journal are shared, so a key belongs in an environment variable whose name is configured. */
function checkNoSecret(key: SettingKey, value: string): void {
  // A text that a pattern exempts may still be a known secret.
  const allow = key === 'redaction.allow' ? [/(?:)/] : []
  const [found] = redact(value, { emails: false, allow }).redacted
  if (found === undefined) return
  throw new CairnError({
    code: 'config_value_invalid',
    message: `The value of \`${key}\` looks like a secret (${found.type}). Nothing was written.`,
    hint: 'Store it in an environment variable and configure the name of the variable (`model.keyVariable`, `embedder.keyVariable`). Change the secret if it was shared.',
  })
}

/** Refuses a value of the right type that would make every later write fail. */
function checkUsable(key: ConfigKey, value: ConfigValue): void {
  if (key === 'vault.defaultAgent') parseAgentId(String(value))
  redactionOptions({ ...DEFAULT_CONFIG, [key]: value })
}

async function editConfig(
  memory: Memory,
  key: SettingKey,
  next: Parameters<typeof writeKey>[2],
): Promise<string | null> {
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readDocument('config.json')
    const after = writeKey(before, key, next)
    if (JSON.stringify(after) === JSON.stringify(before)) return null
    return { action: 'config', changes: [{ type: 'document', name: 'config.json', before, after }] }
  })
  return record?.id ?? null
}
