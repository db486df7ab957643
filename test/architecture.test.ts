import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

interface Rule {
  readonly group: string
  /** The first rule whose pattern fits a file is that of the file. */
  readonly files: RegExp
  /** The groups that it may import, besides its own. */
  readonly may: readonly string[]
}

const NOUNS = ['model', 'text', 'vault']
const KERNEL = [...NOUNS, 'system']
const BEHAVIOUR = [...KERNEL, 'memory', 'decide', 'core', 'addons']
/** A folder of one host, and what lists them; the four others are shared by all hosts. */
const ADAPTERS = /^hosts\/(?!(?:hooks|install|run|transcripts)\/)/

/** Who may import whom: kernel ← features ← surfaces. ARCHITECTURE.md says what each folder is for. */
const RULES: readonly Rule[] = [
  { group: 'model', files: /^kernel\/(?:model\/|layout\.ts$)/, may: [] },
  { group: 'text', files: /^kernel\/text\//, may: ['model'] },
  { group: 'vault', files: /^kernel\/vault\//, may: ['model', 'text'] },
  { group: 'system', files: /^kernel\/(?:system\/|memory-place\.ts$)/, may: ['model'] },
  { group: 'memory', files: /^kernel\/(?:memory|checkout)\.ts$/, may: KERNEL },
  { group: 'decide', files: new RegExp(`/decide/|${ADAPTERS.source}`), may: NOUNS },
  { group: 'stores', files: /^(?:stores|providers)\//, may: [...KERNEL, 'decide'] },
  { group: 'verbs', files: /^verbs\/|\/verbs\/|\/present-/, may: [...BEHAVIOUR, 'compose'] },
  { group: 'core', files: /^(?:features|hosts)\//, may: [...KERNEL, 'memory', 'decide'] },
  { group: 'addons', files: /^addons\//, may: [...KERNEL, 'memory', 'decide', 'core'] },
  { group: 'compose', files: /^compose\//, may: [...BEHAVIOUR, 'stores'] },
  { group: 'surfaces', files: /^surfaces\//, may: [...BEHAVIOUR, 'compose', 'verbs'] },
  { group: 'library', files: /^(?:library\/|(?:api|format)\.ts$)/, may: [...BEHAVIOUR, 'compose', 'verbs'] },
]

/** The core does without the add-ons. file → the one that it imports all the same, and why. This list may only shrink. */
const ADDON_OF: Readonly<Record<string, string>> = {
  'features/search/verbs/search.ts': 'workspaces: reads `--scope`',
  'features/review/stale-review.ts': 'workspaces: proposes to split a long file of learnings',
  'features/validate/check-content.ts': 'rules: secrets in what is injected',
  'features/validate/check-surroundings.ts': 'rules: files over their budget',
  'features/doctor/verbs/doctor.ts': 'rules: secrets in what is injected',
  'features/doctor/verbs/doctor-chain.ts': 'link: whether the hub answers',
  'features/status/verbs/status.ts': 'rules: secrets in what is injected',
  'features/status/verbs/surroundings-view.ts': 'rules: files over their budget',
  'features/status/verbs/link-view.ts': 'link: whether the memory is in step with its hub',
  'features/status/present-status.ts': 'link: the same as a line',
  'hosts/hooks/due-work.ts': 'link: whether a sync is due',
}

/** file → why it names a host. This list may only shrink. */
const NAMES_HOSTS: Readonly<Record<string, string>> = {
  'kernel/model/host.ts': 'the ids and the titles',
  'kernel/model/agent-run.ts': 'the host without a program that runs commands',
  'kernel/system/host-folder.ts': 'where the own memory of Claude Code is imported from',
  'addons/import/sources/default-places.ts': 'the same',
  'addons/import/sources/conversation-source.ts': 'the chats of seed A are those of Cursor',
  'stores/files/session-folder.ts': 'the same',
  'addons/rules/decide/host-folders.ts':
    'folders of rules, in the order in which they are listed; also of Cline',
  'surfaces/cli/demo.ts': 'an example',
  'surfaces/cli/warm-up.ts': 'an example',
  'surfaces/hook/main.ts': 'an example',
}

/** Decide, never act: no disk, clock, network, environment or chance. */
const PURE = [...NOUNS, 'decide']
const IMPURE = [
  /from 'node:(?!buffer')/,
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bMath\.random\(/,
  /\bprocess\./,
  /\bfetch\(/,
  /\bperformance\.now\(/,
  /\bsetTimeout\(/,
]

/** path → what it holds that is no code of ours at work: a program as a text, which somebody else runs. */
const TEXTS_OF_PROGRAMS: Readonly<Record<string, string>> = {
  'hosts/opencode/plugin.ts': 'the plugin that OpenCode loads',
}

const MAX_CODE_LINES = 400
/** path → why it may be longer. This list may only shrink. */
const LONGER: Readonly<Record<string, string>> = { 'api.ts': 'the list of what the library exports' }

/** Here an index is the search index: a file that is only called so tells nothing. */
const VAGUE_NAMES = /(^|\/)index\.ts$|(^|\/|-)(utils?|helpers?|common|manager|service|base|misc)(-|\.ts$)/

interface Source {
  readonly file: string
  readonly group: string | undefined
  readonly text: string
  readonly imports: readonly string[]
}

const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map(file => file.split(path.sep).join('/'))
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map(file => {
    const text = readFileSync(path.join(SRC, file), 'utf8')
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(match =>
      path.posix.join(path.posix.dirname(file), match[1] ?? ''),
    )
    return { file, group: ruleOf(file)?.group, text, imports }
  })

function ruleOf(file: string): Rule | undefined {
  return RULES.find(({ files }) => files.test(file))
}

const isCore = (file: string) => /^(?:kernel|features|hosts)\//.test(file)

function mayImport(from: string, to: string): boolean {
  if (isCore(from) && to.startsWith('addons/')) return ADDON_OF[from] !== undefined
  const { group, may } = ruleOf(from) ?? { group: '', may: [] }
  return [group, ...may].includes(ruleOf(to)?.group ?? to)
}

/** Strips comments and strings, so that prose about a clock is not taken for one. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
}

describe('the architecture', () => {
  it('sees the source', () => {
    expect(sources.length).toBeGreaterThan(60)
    expect(sources.flatMap(source => source.imports).length).toBeGreaterThan(200)
  })

  it('has a rule for every file', () => {
    expect(sources.filter(({ group }) => group === undefined).map(({ file }) => file)).toEqual([])
  })

  it('has only the imports that the rules allow', () => {
    const wrong = sources.flatMap(({ file, imports }) =>
      imports.filter(target => !mayImport(file, target)).map(target => `${file} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('lists no exception that is not needed', () => {
    const needed = sources.filter(
      ({ file, imports }) => isCore(file) && imports.some(target => target.startsWith('addons/')),
    )
    expect(Object.keys(ADDON_OF).sort()).toEqual(needed.map(({ file }) => file).sort())
  })

  it('names a host only in its own folder', () => {
    const ofHost = (file: string) => /^hosts\/([\w-]+)\/adapter\.ts$/.exec(file)?.[1]
    const hosts = sources.flatMap(({ file }) => ofHost(file) ?? [])
    expect(hosts.length).toBeGreaterThan(5)
    // `cursor` is also the word for a position.
    const id = new RegExp(`'(?:${hosts.filter(host => host !== 'cursor').join('|')})'|host: 'cursor'`)
    const named = sources
      .filter(({ file, text }) => !ADAPTERS.test(file) && id.test(codeOf(text)))
      .map(({ file }) => file)
    expect(named.sort()).toEqual(Object.keys(NAMES_HOSTS).sort())
    const reached = sources.flatMap(({ file, imports }) =>
      imports.filter(to => !ADAPTERS.test(file) && /^hosts\/[\w-]+\//.test(to) && ADAPTERS.test(to)),
    )
    expect(reached).toEqual([])
  })

  it('has stores that do not import each other', () => {
    const storeOf = (file: string) => /^stores\/(\w+)\//.exec(file)?.[1]
    const wrong = sources
      .filter(({ file }) => storeOf(file) !== undefined)
      .flatMap(({ file, imports }) =>
        imports
          .filter(target => ![undefined, 'sql', storeOf(file)].includes(storeOf(target)))
          .map(target => `${file} -> ${target}`),
      )
    expect(wrong).toEqual([])
  })

  it('has no cycle', () => {
    const importsByFile = new Map(sources.map(source => [source.file, source.imports]))
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, trail: readonly string[]) => {
      if (trail.includes(file))
        return void cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      if (done.has(file)) return
      for (const target of importsByFile.get(file) ?? []) visit(target, [...trail, file])
      done.add(file)
    }
    for (const { file } of sources) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('starts a search without the rules that find secrets: they are slow to load', () => {
    const textByFile = new Map(sources.map(({ file, text }) => [file, text]))
    const loaded = new Set(['surfaces/cli/search-only.ts'])
    for (const file of loaded) {
      const imports = textByFile
        .get(file)
        ?.matchAll(/^(?:import|export|\}) (?!type )[^'(]*?from '(\.[^']+)'/gm)
      for (const [, to = ''] of imports ?? []) loaded.add(path.posix.join(path.posix.dirname(file), to))
    }
    expect(loaded.size).toBeGreaterThan(100)
    expect([...loaded]).not.toContain('kernel/text/redaction/redact.ts')
  })

  it('keeps disk, clock, network, environment and chance out of the pure layers', () => {
    const wrong = sources
      .filter(({ group = '' }) => PURE.includes(group))
      .filter(source => TEXTS_OF_PROGRAMS[source.file] === undefined)
      .flatMap(({ file, text }) =>
        IMPURE.filter(pattern => pattern.test(codeOf(text))).map(pattern => `${file}: ${pattern}`),
      )
    expect(wrong).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = sources
      .filter(source => /process\.env/.test(codeOf(source.text)))
      .map(source => source.file)
    expect(readers).toEqual(['kernel/system/environment.ts'])
  })

  it('has no file over 400 lines of code', () => {
    const long = sources
      .map(({ file, text }) => ({
        file,
        lines: codeOf(text)
          .split('\n')
          .filter(line => line.trim() !== '').length,
      }))
      .filter(({ file, lines }) => lines > MAX_CODE_LINES && LONGER[file] === undefined)
    expect(long).toEqual([])
  })

  it('has no empty catch, with or without a comment in it', () => {
    const empty = sources
      .filter(source => /catch\s*(\([^)]*\))?\s*\{\s*\}/.test(codeOf(source.text)))
      .map(source => source.file)
    expect(empty).toEqual([])
  })

  it('exports only what another file uses', () => {
    const root = fileURLToPath(new URL('../', import.meta.url))
    const filesByWord = new Map<string, Set<string>>()
    for (const folder of ['src', 'test', 'bench', 'web/src'])
      for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:ts|tsx|mjs)$/.test(name)) continue
        const file = path.join(root, folder, name)
        for (const word of readFileSync(file, 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? [])
          filesByWord.set(word, (filesByWord.get(word) ?? new Set()).add(file))
      }
    const unused = sources
      .filter(({ file }) => !/^(?:api|format)\.ts$/.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|type|interface) ([\w$]+)/gm)]
          .map(([, name = '']) => name)
          .filter(name => filesByWord.get(name)?.size === 1)
          .map(name => `${file}: ${name}`),
      )
    expect(unused).toEqual([])
  })

  it('names each file after the one thing in it', () => {
    expect(
      sources.map(source => source.file).filter(file => VAGUE_NAMES.test(file) || /[A-Z ]/.test(file)),
    ).toEqual([])
  })
})

const WEB = fileURLToPath(new URL('../web/src/', import.meta.url))

const pageSources: readonly {
  readonly file: string
  readonly text: string
  readonly imports: readonly string[]
}[] = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .map(file => file.split(path.sep).join('/'))
  .filter(file => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map(file => {
    const text = readFileSync(path.join(WEB, file), 'utf8')
    const imports = [
      ...text.matchAll(/^(?:import|export)\b(?! type\b)[^']*'(\.[^']+)'/gm),
      ...text.matchAll(/\bimport\('(\.[^']+)'\)/g),
    ].map(([, to = '']) => path.posix.join('web/src', path.posix.dirname(file), to))
    return { file, text, imports }
  })

/** Words by which a text would become HTML, or code. */
const BECOMES_HTML =
  /\binnerHTML\b|\bouterHTML\b|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\bsrcdoc\b|createContextualFragment|\beval\(|new Function\(/i

/** path → why the page carries it. Both are tables and arithmetic, without anything of Node. */
const CARRIED: Readonly<Record<string, string>> = {
  'src/kernel/model/host.ts': 'the ids and titles of the hosts',
  'src/surfaces/http/paths.generated.ts': 'where every route is',
  'src/features/learning/decide/score-finding.ts': 'the points that Review shows are those that count',
}

describe('the page', () => {
  it('is seen', () => {
    expect(pageSources.length).toBeGreaterThan(60)
    expect(pageSources.flatMap(({ imports }) => imports)).toContain('src/surfaces/http/paths.generated.ts')
  })

  it('never makes HTML or code of a text', () => {
    expect(pageSources.filter(({ text }) => BECOMES_HTML.test(codeOf(text))).map(({ file }) => file)).toEqual(
      [],
    )
  })

  it('carries nothing of the server but tables', () => {
    const carried = pageSources.flatMap(({ imports }) => imports.filter(to => !to.startsWith('web/')))
    expect([...new Set(carried)].sort()).toEqual(Object.keys(CARRIED).sort())
  })

  it('has views that know nothing of each other, and parts that know of no view', () => {
    const wrong = pageSources.flatMap(({ file, imports }) => {
      const view = /^views\/([^/]+)\//.exec(file)?.[1]
      return imports
        .filter(to => {
          const other = /^web\/src\/views\/([^/]+)\//.exec(to)?.[1]
          return other !== undefined && other !== view && file !== 'views.ts'
        })
        .map(to => `${file} → ${to}`)
    })
    expect(wrong).toEqual([])
  })

  it('has no file over 400 lines of code, no empty catch, and names each file after the one thing in it', () => {
    const lines = (text: string) =>
      codeOf(text)
        .split('\n')
        .filter(line => line.trim() !== '').length
    expect(pageSources.filter(({ text }) => lines(text) > MAX_CODE_LINES).map(({ file }) => file)).toEqual([])
    expect(
      pageSources
        .filter(({ text }) => /catch\s*(\([^)]*\))?\s*\{\s*\}/.test(codeOf(text)))
        .map(({ file }) => file),
    ).toEqual([])
    expect(
      pageSources.map(({ file }) => file).filter(file => VAGUE_NAMES.test(file) || /[A-Z ]/.test(file)),
    ).toEqual([])
  })
})
