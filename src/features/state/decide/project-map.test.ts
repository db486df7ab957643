import { describe, expect, it } from 'vitest'
import { firstParagraph, ignoredPaths, manifestsAmong, readProject } from './project-map.ts'

function read(texts: Readonly<Record<string, string>>, files: readonly string[] = []) {
  const all = [...Object.keys(texts), ...files]
  const textByPath = new Map(manifestsAmong(all).map(path => [path, texts[path] ?? '']))
  return readProject({ folder: 'folder', files: all, isPartial: false, textByPath })
}

describe('the map of a project', () => {
  it.each([
    ['package.json', '{"name":"shop"}', 'npm shop'],
    ['Cargo.toml', '[package]\nname = "shop"\r\n[dependencies]\nname = "other"', 'cargo shop'],
    ['pyproject.toml', '[tool.poetry]\nname = "shop"', 'python shop'],
    ['go.mod', 'module example.com/shop\n', 'go example.com/shop'],
    [
      'pom.xml',
      '<project><parent><artifactId>up</artifactId></parent><artifactId>shop</artifactId></project>',
      'maven shop',
    ],
    ['api/build.gradle.kts', 'plugins {}', 'gradle api'],
    ['composer.json', '{"name":"acme/shop"}', 'composer acme/shop'],
    ['src/Shop.csproj', '<Project/>', 'dotnet Shop'],
    ['mix.exs', 'def project, do: [app: :shop]', 'elixir shop'],
    ['pubspec.yaml', 'name: shop', 'dart shop'],
  ])('reads %s', (path, text, expected) => {
    expect(read({ [path]: text }).map.packages.map(({ kind, name }) => `${kind} ${name}`)).toEqual([expected])
  })

  it('has languages by their files, entry points, scripts and folders', () => {
    const { map, facts, packageManager } = read(
      {
        'package.json': JSON.stringify({
          name: 'shop',
          description: 'Sells.',
          bin: { shop: './dist/shop.js' },
          exports: { '.': { import: './dist/api.js' } },
          scripts: { test: 'vitest run', deploy: 'sh deploy.sh' },
        }),
        'packages/ui/package.json': '{"name":"@shop/ui","scripts":{"test":"vitest","odd":"x"}}',
        Makefile: 'VAR := 1\n.PHONY: all\nbuild: dep.o\n\tcc\nlint test: x\n%.o: %.c\n',
        justfile: 'set shell := ["sh"]\nrelease version:\n  echo\n',
      },
      ['src/main.ts', 'src/web/page.tsx', 'tools/gen.py', 'Dockerfile', 'pnpm-lock.yaml', 'notes.md'],
    )
    expect(map.languages).toEqual([
      { name: 'TypeScript', files: 2 },
      { name: 'Python', files: 1 },
    ])
    expect(map.entryPoints.map(({ path, what }) => `${path} ${what}`)).toEqual([
      'dist/shop.js command shop',
      'dist/api.js export',
      'Dockerfile container',
      'src/main.ts main',
    ])
    expect(map.scripts.map(({ name, command }) => `${name}: ${command}`).sort()).toEqual([
      'build: make build',
      'deploy: sh deploy.sh',
      'lint: make lint',
      'release: just release',
      'test: make test',
      'test: vitest',
      'test: vitest run',
    ])
    expect(map.folders.map(({ path }) => path)).toEqual([
      'packages',
      'packages/ui',
      'src',
      'src/web',
      'tools',
    ])
    expect([facts, packageManager]).toEqual([{ name: 'shop', description: 'Sells.' }, 'pnpm'])
  })

  it('tells of a manifest that cannot be read, and goes on', () => {
    const { map, facts, problems } = read({
      'package.json': '{"name":',
      'Cargo.toml': '[package]\nname = "shop"',
    })
    expect(map.packages).toHaveLength(1)
    expect(facts.name).toBe('shop')
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual(['manifest_unreadable package.json'])
  })

  it('takes nothing that leads out, and no text of a hostile manifest as it is', () => {
    const hostile = {
      name: '# shop\n<!-- end -->',
      bin: { a: '../../etc/passwd', b: '/etc/passwd' },
      main: 7,
      scripts: { 'x\n': ['y'] },
    }
    const { map, facts } = read({ 'package.json': JSON.stringify(hostile) })
    expect(map.entryPoints).toEqual([])
    expect(facts.name).toBe('shop ‹!-- end --›')
    expect(map.scripts).toEqual([])
  })
})

describe('what git ignores', () => {
  it('is passed over where the pattern is plain', () => {
    const isIgnored = ignoredPaths('# c\nnode_modules\n/tmp\ndata/\n*.log\nsrc/gen/\n!keep.log\na*b\n')
    expect(['node_modules', 'x/node_modules', 'tmp', 'data', 'src/gen'].map(isIgnored)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ])
    expect(['x/tmp', 'gen', 'aXb', 'src/main.ts', 'keep.log'].map(isIgnored)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('the first paragraph', () => {
  it('is the first prose, without marks', () => {
    const text =
      '---\ntitle: x\n---\n# _Shop_\n\n[![ci](a)](b)\n\n<!-- hidden -->\nSells **things** with [my_shop_lib](x) to _people_.\nIn two lines.\n\nMore.\n'
    expect(firstParagraph(text)).toBe('Sells things with my_shop_lib to people. In two lines.')
    expect(firstParagraph('# Only\n\n- a list\n- of things\n')).toBeUndefined()
    expect(firstParagraph('```\ncode here only\n```\n')).toBeUndefined()
  })
})
