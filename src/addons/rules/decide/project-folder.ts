import { CairnError } from '../../../kernel/model/errors.ts'

/**
 * A folder that the configuration names, relative to the project, with `/`. The value is checked because config.json may have come with a
 * clone.
 */
export function projectFolder(value: string, key: string): string {
  const parts = value
    .replaceAll('\\', '/')
    .split('/')
    .filter(part => part !== '' && part !== '.')
  const isOutside = parts.length === 0 || parts.includes('..') || /^[a-z]:$/i.test(parts[0] ?? '')
  if (!isOutside && !/^[/\\]/.test(value)) return parts.join('/')
  throw new CairnError({
    code: 'config_value_invalid',
    message: `\`${key}\` names ${JSON.stringify(value.slice(0, 80))}, which is not a folder inside the project.`,
    hint: `\`cairn config unset ${key}\` restores the default.`,
  })
}
