import type { Entity, Relation, StatedRelation } from '../../model/graph.ts'
import { isConfigurationFile } from './file-name.ts'

const MAX_RELATIONS = 64
/** Two entities further apart than this have no relation. */
const FARTHEST = 90

/** `… A <between> B …`, with the text before A in the sentence. */
interface Pattern {
  readonly relation: StatedRelation
  /** Lower case. At least one of these must be near. The patterns cost a cold process more than this check. */
  readonly cues: readonly string[]
  readonly between: RegExp
  readonly before?: RegExp
  /** B is the subject: `A was replaced by B`. */
  readonly isTurned?: true
  /** Only the nearest entity after A counts. */
  readonly isOnce?: true
  readonly fits: (a: Entity, b: Entity) => boolean
}

const areProducts = (a: Entity, b: Entity) => isProduct(a) && isProduct(b)
const isAnyThing = (a: Entity, b: Entity) => a.type !== 'person' && b.type !== 'person'
const isProduct = (entity: Entity) => entity.type === 'service' || entity.type === 'package'

const ARTICLE = '(?:the |o |a |os |as |our |um |uma |plain |just )?'
const MOVED =
  /\b(?:mov|switch|migrat|chang|port|went|convert|migr|mud|troc|pass)\w*\b[^.;:]{0,60}\b(?:from|off|do|da|de|dos|das)\s+(?:the |o |a )?[`"']?$/i
const SWAPPED =
  /\b(?:replac|swap|exchang|substitu|troc)\w*\b(?: \w+){0,2} (?:the |o |a |os |as )?[`"']?$|\b(?:replac|swap|substitu|troc)\w* [`"']?$/i

/** In this order: the first pattern that matches a pair decides. */
const PATTERNS: readonly Pattern[] = [
  {
    relation: 'replaces',
    cues: ['from', 'off', ' do ', ' da ', ' de ', 'dos', 'das'],
    before: MOVED,
    between: new RegExp(`^[\`"']?[^.;:]{0,20}?\\s(?:to|onto|into|para|pro|pra|ao?) ${ARTICLE}[\`"']?$`, 'i'),
    isTurned: true,
    fits: areProducts,
  },
  {
    relation: 'replaces',
    cues: ['replac', 'swap', 'exchang', 'substitu', 'troc'],
    before: SWAPPED,
    between: new RegExp(`^[\`"']? (?:with|by|for|por|pelo|pela|pelos|pelas|com) ${ARTICLE}[\`"']?$`, 'i'),
    isTurned: true,
    fits: areProducts,
  },
  {
    relation: 'replaces',
    cues: ['replaced', 'superseded', 'substitu', 'trocad'],
    between: new RegExp(
      `^[\`"']?[^.;:]{0,24}?\\b(?:(?:was|were|is|are|been|foi|foram) )?(?:replaced|superseded|substituíd[oa]s?|trocad[oa]s?) (?:by|with|por|pelo|pela) ${ARTICLE}[\`"']?$`,
      'i',
    ),
    isTurned: true,
    fits: areProducts,
  },
  {
    relation: 'replaces',
    cues: [
      'instead',
      'rather',
      'replac',
      'supersed',
      'over',
      'em vez',
      'no lugar',
      'invés',
      'substitu',
      'not',
      'never',
      'não',
    ],
    between: new RegExp(
      `^[\`"']?[^.;:]{0,30}?(?:\\b(?:instead of|rather than|replaces|replaced|replacing|supersedes|over|em vez d[eoa]|no lugar d[eoa]|ao invés d[eoa]|substitui|substituiu)|, (?:and )?(?:not|never|não)| (?:and not|e não)) ${ARTICLE}[\`"']?$`,
      'i',
    ),
    fits: areProducts,
  },
  {
    relation: 'replaces',
    cues: ['renam', 'moved', 'renom', 'movid'],
    between:
      /^[`"']? (?:(?:was|were|is|has been|foi|foram) )?(?:renamed|moved|renomead[oa]s?|movid[oa]s?) (?:in)?to (?:the )?[`"']?$|^[`"']? (?:(?:foi|foram) )?(?:renomead[oa]s?|movid[oa]s?) para (?:o |a )?[`"']?$/i,
    isTurned: true,
    fits: (a, b) => a.type === 'file' && b.type === 'file',
  },
  {
    relation: 'depends_on',
    cues: ['depend', 'requir', 'relies', 'needs', 'precis', 'exige'],
    between:
      /^(?! (?:e|and|or|ou) )[`"']?(?: \d[\w.]*)?[^.;:]{0,12}?\b(?:depends on|depend on|requires|require|relies on|needs|depende d[eoa]|dependem d[eoa]|precisa d[eoa]|precisam d[eoa]|exige)(?: (?:the|o|a|at least))? [`"']?$/i,
    fits: (a, b) => isAnyThing(a, b) && (isProduct(b) || (a.type === 'file' && b.type === 'file')),
  },
  {
    relation: 'fails_with',
    cues: ['fails', 'breaks', 'crashes', 'broken', 'falha', 'quebra', 'funciona'],
    between:
      /^[`"']?[^.;:]{0,20}?\b(?:fails (?:with|on|under)|breaks (?:with|on|under)|crashes (?:with|on)|is broken (?:with|on)|falha com|quebra com|não funciona com)(?: (?:the|o|a))? [`"']?$/i,
    fits: isAnyThing,
  },
  {
    relation: 'fixed_by',
    cues: ['fixed', 'solved', 'resolv', 'corrigid'],
    between:
      /^[`"']?[^;]{0,80}?\b(?:fixed|solved|resolved|corrigid[oa]|resolvid[oa]) (?:by|with|in|com|por|pelo|pela)(?: (?:upgrading|updating|downgrading|pinning|installing|adding|removing|using|running|atualizar|instalar|the|o|a)){0,2} [`"']?$/i,
    fits: (a, b) => isAnyThing(a, b) && b.type !== 'file',
  },
  {
    relation: 'uses',
    cues: ['use', 'usa', 'using', 'imports', 'talks', 'speaks', 'built', 'runs on', 'utiliza', 'fala com'],
    between:
      /^(?! (?:e|and|or|ou) )[`"']?(?: \d[\w.]*)?[^.;:]{0,30}?\b(?:uses|use|using|imports|talks to|speaks to|is built (?:on|with)|runs on|usa|usam|utiliza|utilizam|fala com)(?: (?:the|o|a))? [`"']?$/i,
    fits: (a, b) => isAnyThing(a, b) && isProduct(b) && a.type !== 'command',
  },
  {
    relation: 'owned_by',
    cues: ['owned', 'maintained', 'belongs', 'respons', 'mantid', 'é d'],
    between:
      /^[`"']?[^.;]{0,40}?\b(?:owned by|maintained by|belongs to|is owned by|responsável é|mantid[oa] p(?:or|elo|ela)|é d[oa])(?: [oa])? @?$/i,
    fits: (a, b) => a.type !== 'person' && b.type === 'person',
  },
  {
    relation: 'owned_by',
    cues: ['own', 'maintain', 'wrote', 'respons', 'takes care', 'escreveu', 'mantém', 'cuida'],
    between:
      /^[^.;]{0,12}?\b(?:owns|maintains|own|maintain|wrote|is responsible for|takes care of|escreveu|mantém|cuida d[eoa]|é responsável p(?:or|elo|ela))\b[^.;]{0,40}$/i,
    isTurned: true,
    fits: (a, b) => a.type === 'person' && b.type !== 'person',
  },
  {
    relation: 'decided_by',
    cues: ['decid', 'chosen', 'picked', 'selected', 'proposed', 'approved', 'escolhid', 'aprovad'],
    between:
      /^[`"']?[^.;]{0,60}?\b(?:decided|chosen|picked|selected|proposed|approved|decidid[oa]|escolhid[oa]|aprovad[oa]) (?:by|por|pelo|pela)(?: [oa])? @?$/i,
    fits: (a, b) => a.type !== 'person' && b.type === 'person',
  },
  {
    relation: 'decided_by',
    cues: ['decid', 'chose', 'picked', 'selected', 'escolheu', 'definiu'],
    between:
      /^(?![^.;]*\b(?:not|against|never|não|nunca|contra)\b)[^.;]{0,12}?\b(?:decided|chose|picked|selected|decidiu|decidiram|escolheu|definiu)\b[^.;]*$/i,
    isTurned: true,
    isOnce: true,
    fits: (a, b) => a.type === 'person' && b.type !== 'person' && b.type !== 'file',
  },
  {
    relation: 'configured_in',
    cues: [
      'config',
      'setting',
      'rules',
      'defin',
      'set',
      'pinned',
      'listed',
      'declared',
      'registered',
      'limits',
      'options',
      'regras',
    ],
    between:
      /^[`"']?[^;]{0,50}?(?:\b(?:configured|configuration|config|settings?|rules|defined|set|pinned|listed|declared|registered|limits|options|configurad[oa]|configuração|definid[oa]|regras)\b[^.;]{0,24}?\b(?:in|is|at|em|no|na|está em|fica em)) [`"']?$/i,
    fits: (a, b) => isProduct(a) && b.type === 'file' && isConfigurationFile(b.name),
  },
  {
    relation: 'configured_in',
    cues: [',', ' in', ' em', ' no', ' na', '('],
    between: /^[`"']?(?:,| is in| in| lives in| em| no| na| fica em| está em) [`"'(]?$|^ \([`"']?$/i,
    fits: (a, b) => isProduct(a) && b.type === 'file' && isConfigurationFile(b.name),
  },
]

/** The relations that the text states between two of its entities. Each pair once, by its first pattern. */
export function findRelations(text: string, mentions: readonly Entity[]): Relation[] {
  const standing = mentions.filter(mention => mention.at >= 0)
  if (standing.length < 2) return []
  const stated: Stated[] = []
  for (let i = 0; i < standing.length; i++) {
    const a = standing[i] as Entity
    const end = a.at + a.text.length
    for (let j = i + 1; j < standing.length; j++) {
      const b = standing[j] as Entity
      if (b.at - end > FARTHEST) break
      if (b.at <= end || isSame(a, b)) continue
      const between = text.slice(end, b.at)
      if (between.includes('\n\n')) break
      const pattern = patternOf(text, a, b, between)
      if (pattern === undefined) continue
      const { relation } = pattern
      stated.push(pattern.isTurned ? { from: b, relation, to: a } : { from: a, relation, to: b })
      if (pattern.isOnce) break
    }
  }
  addFixes(text, standing, stated)
  const named = addByName(text, standing, stated)
  const relations = new Map<string, Relation>()
  for (const one of stated) {
    const { from, relation, to } = one
    if (relation === 'configured_in' && !isNearest(one, stated, named)) continue
    const key = `${from.type} ${from.name} ${relation} ${to.type} ${to.name}`
    if (relations.size < MAX_RELATIONS) relations.set(key, { from: ref(from), relation, to: ref(to) })
  }
  return [...relations.values()]
}

/** `not eslint. Rules in biome.json`: the file's name decides, at any distance; otherwise the nearest one. */
function isNearest({ from, to }: Stated, stated: readonly Stated[], named: NamedFiles): boolean {
  const products = named.get(to.name)
  if (products !== undefined) return products.has(from.name)
  return !stated.some(
    other => other.relation === 'configured_in' && other.to.name === to.name && other.from.at > from.at,
  )
}

/** The products whose name is in the name of a file. */
type NamedFiles = ReadonlyMap<string, ReadonlySet<string>>

interface Stated {
  readonly from: Entity
  readonly relation: StatedRelation
  readonly to: Entity
}

function patternOf(text: string, a: Entity, b: Entity, between: string): Pattern | undefined {
  const before = text.slice(Math.max(0, a.at - FARTHEST), a.at)
  const around = `${before} ${between}`.toLowerCase()
  return PATTERNS.find(
    pattern =>
      pattern.fits(a, b) &&
      pattern.cues.some(cue => around.includes(cue)) &&
      pattern.between.test(between) &&
      pattern.before?.test(before) !== false,
  )
}

const FIXES_IT =
  /^[^.;\n]{0,60}\b(?:fixes (?:it|this|that)|solves (?:it|this)|resolve (?:isso|o problema)|corrige (?:isso|o problema))\b/i

/** `sharp is broken … `apk add vips` fixes it`: the first entity of the entry is meant. */
function addFixes(text: string, standing: readonly Entity[], stated: Stated[]): void {
  const subject = standing.find(entity => isProduct(entity) || entity.type === 'command')
  if (subject === undefined) return
  for (const fix of standing) {
    if (isSame(fix, subject) || !(isProduct(fix) || fix.type === 'command')) continue
    const end = fix.at + fix.text.length
    const behind = text.slice(end, end + FARTHEST)
    if (FIXES_IT.test(behind)) stated.push({ from: subject, relation: 'fixed_by', to: fix })
  }
}

const SENTENCE_END = /[.!?]\s/

/** `nginx … deploy/nginx/site.conf` in one sentence: the file's name says what it configures. */
function addByName(text: string, standing: readonly Entity[], stated: Stated[]): NamedFiles {
  const productsByFile = new Map<string, Set<string>>()
  const files = standing.filter(entity => entity.type === 'file' && isConfigurationFile(entity.name))
  if (files.length === 0) return productsByFile
  for (const product of standing.filter(isProduct)) {
    const stem = product.name.replace(/^@[^/]*\//, '').replace(/\.(?:js|io|com)$/, '')
    for (const file of files) {
      if (
        stem.length < 3 ||
        !file.name
          .toLowerCase()
          .split(/[^a-z0-9]+/)
          .includes(stem)
      )
        continue
      productsByFile.set(file.name, (productsByFile.get(file.name) ?? new Set()).add(product.name))
      const [first, second] = product.at < file.at ? [product, file] : [file, product]
      const between = text.slice(first.at + first.text.length, second.at)
      if (between.length <= FARTHEST && !SENTENCE_END.test(between))
        stated.push({ from: product, relation: 'configured_in', to: file })
    }
  }
  return productsByFile
}

function isSame(a: Entity, b: Entity): boolean {
  return a.type === b.type && a.name === b.name
}

function ref({ type, name }: Entity) {
  return { type, name }
}
