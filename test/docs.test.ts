import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { OWN_COMMANDS } from '../src/surfaces/cli/own-commands.ts'
import {
  renderCliReference,
  renderConfigReference,
  renderErrorReference,
  renderFilesReference,
} from '../src/surfaces/cli/reference.ts'
import { renderRestReference } from '../src/surfaces/http/rest-reference.ts'
import { OPERATIONS } from '../src/verbs/all.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

const documents = [
  ...readdirSync(ROOT).filter(name => name.endsWith('.md')),
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => path.join('docs', name)),
]

describe('the reference', () => {
  it('says what the code says (npm run docs writes it)', async () => {
    await expect(await renderCliReference()).toMatchFileSnapshot('../docs/reference/cli.md')
    await expect(renderConfigReference()).toMatchFileSnapshot('../docs/reference/config.md')
    await expect(renderErrorReference()).toMatchFileSnapshot('../docs/reference/errors.md')
    await expect(renderFilesReference()).toMatchFileSnapshot('../docs/reference/files.md')
    await expect(await renderRestReference()).toMatchFileSnapshot('../docs/reference/rest.md')
  })
})

describe('the documents', () => {
  it('are there', () => {
    expect(documents).toEqual(
      expect.arrayContaining([
        'README.md',
        'DOMAIN.md',
        'ARCHITECTURE.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'AGENTS.md',
      ]),
    )
    expect(documents.length).toBeGreaterThan(15)
  })

  it('have no link to a file that is not there', () => {
    const broken = documents.flatMap(document =>
      [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(match => match[1] ?? '')
        .filter(target => !existsSync(path.join(ROOT, path.dirname(document), target)))
        .map(target => `${document} -> ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('name no source file that is not there', () => {
    const broken = documents.flatMap(document =>
      [...read(document).matchAll(/`((?:src|test|bench|docs)\/[\w./-]*\w\.\w+)`/g)]
        .map(match => match[1] ?? '')
        .filter(target => !existsSync(path.join(ROOT, target)))
        .map(target => `${document} -> ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('use no verb that the command line does not have', () => {
    const verbs = new Set(
      [...Object.keys(OPERATIONS), ...OWN_COMMANDS.map(verb => verb.name)].flatMap(
        name => name.split(' ')[0] ?? '',
      ),
    )
    const unknown = documents
      .filter(document => !document.startsWith('docs/reference'))
      .flatMap(document =>
        [
          ...read(document).matchAll(/^(?:\$ )?cairn ([a-z][a-z-]*)/gm),
          ...read(document).matchAll(/`cairn ([a-z][a-z-]*)/g),
        ]
          .map(match => match[1] ?? '')
          .filter(verb => !verbs.has(verb))
          .map(verb => `${document}: cairn ${verb}`),
      )
    expect(unknown).toEqual([])
  })

  it('give commands in the README that the package has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const used = [...read('README.md').matchAll(/npm (?:run )?(start|test|bench|[a-z]+:[a-z]+)\b/g)].map(
      match => match[1] ?? '',
    )
    expect(used.length).toBeGreaterThan(2)
    expect(used.filter(name => scripts[name] === undefined)).toEqual([])
  })
})
