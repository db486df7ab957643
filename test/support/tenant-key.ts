/**
 * Judges a statement of a request path, by its text: every table of a project that it touches is narrowed to `$1`, the number of the project,
 * where it is named. That is what lets a statement run on one shard, and what keeps projects apart before row-level security does.
 *
 *   SELECT e.id FROM entry e JOIN link l ON l.project = $1 AND l.key = e.key WHERE e.project = $1     good
 *   SELECT e.id FROM entry e JOIN link l ON l.project = e.project AND l.key = e.key WHERE e.project = $1   `l` is not narrowed
 *
 * It knows the SQL that is written here, not all there is: what it does not understand is a fault, never passed over.
 */
export interface TenantTables {
  /** Those with a column `project`. */
  readonly distributed: ReadonlySet<string>
  /** Those that are the same on every node: `directory`, `principal` … */
  readonly reference: ReadonlySet<string>
}

/** What is wrong with it, in words; nothing when all is well. */
export function faultsOf(sql: string, tables: TenantTables): string[] {
  const faults: string[] = []
  judgeQuery(nest(tokensOf(sql)), { tables, ctes: new Set(), faults })
  return [...new Set(faults)]
}

type Token = string | readonly Token[]

interface Judge {
  readonly tables: TenantTables
  readonly ctes: ReadonlySet<string>
  readonly faults: string[]
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|[eEuU]?&?'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\d+|::|<=|>=|<>|!=|\|\||->>|->|<[=#+~]?>|@@|&&|[A-Za-z_][\w$]*|\d+(?:\.\d+)?|[^\s]/g

function tokensOf(sql: string): string[] {
  return [...sql.matchAll(TOKEN)]
    .map(([text]) => text)
    .filter(text => !/^(\s|--|\/\*)/.test(text))
    .map(text => (/^[A-Za-z_]/.test(text) && !text.includes("'") ? text.toLowerCase() : text))
    .map(text => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text))
}

/** `( … )` becomes a list within the list. */
function nest(tokens: readonly string[]): Token[] {
  const stack: Token[][] = [[]]
  for (const token of tokens) {
    if (token === '(') stack.push([])
    else if (token === ')') {
      const inner = stack.pop() ?? []
      stack.at(-1)?.push(inner)
    } else stack.at(-1)?.push(token)
  }
  return stack[0] ?? []
}

const isList = (token: Token | undefined): token is readonly Token[] => Array.isArray(token)

const CLAUSES = new Set([
  'select',
  'from',
  'where',
  'group',
  'having',
  'window',
  'order',
  'limit',
  'offset',
  'fetch',
  'for',
  'returning',
  'set',
  'using',
  'on',
  'values',
  'insert',
  'update',
  'delete',
  'with',
])
const SET_OPERATIONS = new Set(['union', 'intersect', 'except'])
const JOINS = new Set(['join', 'left', 'right', 'full', 'inner', 'outer', 'cross', 'natural'])

/** A query with what stands before it and between it: `WITH …`, `… UNION ALL …`, several in one text. */
function judgeQuery(tokens: readonly Token[], judge: Judge): void {
  for (const statement of split(tokens, token => token === ';')) {
    const [ctes, rest] = takeCtes(statement, judge)
    const within = { ...judge, ctes }
    for (const part of split(rest, token => typeof token === 'string' && SET_OPERATIONS.has(token)))
      judgeOne(part[0] === 'all' ? part.slice(1) : part, within)
  }
}

function takeCtes(tokens: readonly Token[], judge: Judge): [ReadonlySet<string>, readonly Token[]] {
  if (tokens[0] !== 'with') return [judge.ctes, tokens]
  const ctes = new Set(judge.ctes)
  let at = tokens[1] === 'recursive' ? 2 : 1
  for (;;) {
    const name = tokens[at]
    if (typeof name !== 'string') break
    at++
    if (isList(tokens[at])) at++
    if (tokens[at] !== 'as') break
    at++
    while (tokens[at] === 'not' || tokens[at] === 'materialized') at++
    const body = tokens[at]
    if (!isList(body)) break
    if (tokens[1] === 'recursive') ctes.add(name)
    judgeQuery(body, { ...judge, ctes })
    ctes.add(name)
    at++
    if (tokens[at] !== ',') return [ctes, tokens.slice(at)]
    at++
  }
  judge.faults.push('a WITH that is not understood')
  return [ctes, []]
}

function judgeOne(tokens: readonly Token[], judge: Judge): void {
  if (tokens.length === 0) return
  // A query in brackets of its own.
  const [verb] = tokens
  if (tokens.length === 1 && isList(verb)) judgeQuery(verb, judge)
  else if (verb === 'select') judgeSelect(tokens, judge)
  else if (verb === 'insert') judgeInsert(tokens, judge)
  else if (verb === 'update') judgeUpdate(tokens, judge)
  else if (verb === 'delete') judgeDelete(tokens, judge)
  else if (verb === 'values') judgeInner(tokens, judge)
  else judge.faults.push(`a statement that begins with ${String(verb)}`)
}

function judgeSelect(tokens: readonly Token[], judge: Judge): void {
  const clauses = clausesOf(tokens)
  const refs = [...refsOf(clauses.get('from') ?? [], judge)]
  requireKeys(refs, [clauses.get('from') ?? [], clauses.get('where') ?? []], judge)
  judgeInner(tokens, judge)
}

function judgeDelete(tokens: readonly Token[], judge: Judge): void {
  const clauses = clausesOf(tokens)
  const refs = [...refsOf(clauses.get('from') ?? [], judge), ...refsOf(clauses.get('using') ?? [], judge)]
  requireKeys(refs, [clauses.get('using') ?? [], clauses.get('where') ?? []], judge)
  judgeInner(tokens, judge)
}

function judgeUpdate(tokens: readonly Token[], judge: Judge): void {
  const clauses = clausesOf(tokens)
  const refs = [...refsOf(clauses.get('update') ?? [], judge), ...refsOf(clauses.get('from') ?? [], judge)]
  requireKeys(refs, [clauses.get('from') ?? [], clauses.get('where') ?? []], judge)
  const assigned = split(clauses.get('set') ?? [], token => token === ',').map(([column]) => column)
  if (assigned.some(column => column === 'project' || (isList(column) && column.includes('project'))))
    judge.faults.push('an UPDATE moves rows to another project')
  judgeInner(tokens, judge)
}

function judgeInsert(tokens: readonly Token[], judge: Judge): void {
  const [, into, name] = tokens
  const columnsAt = tokens[3] === 'as' ? 5 : 3
  const columns = tokens[columnsAt]
  judgeInner(tokens, judge)
  if (into !== 'into' || typeof name !== 'string') judge.faults.push('an INSERT that is not understood')
  else if (judge.tables.reference.has(name)) return
  else if (!judge.tables.distributed.has(name)) judge.faults.push(`${name} is a table nobody knows`)
  else if (!isList(columns) || !columns.includes('project'))
    judge.faults.push(`an INSERT into ${name} names no project`)
  else {
    const place = split(columns, token => token === ',').findIndex(([column]) => column === 'project')
    const conflictAt = tokens.findIndex((token, i) => token === 'on' && tokens[i + 1] === 'conflict')
    const returningAt = tokens.indexOf('returning')
    const end = Math.min(...[conflictAt, returningAt, tokens.length].filter(at => at >= 0))
    const target = { name, place, hasArbiter: end < tokens.length }
    judgeSource(tokens.slice(columnsAt + 1, end), target, judge)
    if (conflictAt >= 0) judgeConflict(tokens.slice(conflictAt + 2), name, judge)
  }
}

function judgeConflict(tokens: readonly Token[], name: string, judge: Judge): void {
  const [target] = tokens
  if (isList(target) && !target.includes('project'))
    judge.faults.push(`an INSERT into ${name} meets conflicts of other projects`)
  const assigned = split(clausesOf(tokens).get('set') ?? [], token => token === ',')
  if (assigned.some(([column]) => column === 'project'))
    judge.faults.push('an UPDATE moves rows to another project')
}

interface Target {
  readonly name: string
  readonly place: number
  /** `ON CONFLICT` or `RETURNING`. */
  readonly hasArbiter: boolean
}

function judgeSource(source: readonly Token[], { name, place, hasArbiter }: Target, judge: Judge): void {
  if (source[0] === 'values') {
    const rows = source.filter(isList).map(row => split(row, token => token === ',')[place] ?? [])
    if (!rows.every(isKey))
      judge.faults.push(`an INSERT into ${name} puts something else than $1 into project`)
    return
  }
  if (source[0] !== 'select') {
    judge.faults.push('an INSERT that is not understood')
    return
  }
  const clauses = clausesOf(source)
  const [first = [], ...rest] = split(clauses.get('select') ?? [], token => token === ',')
  const chosen = [withoutDistinct(first), ...rest][place] ?? []
  const refs = [...refsOf(clauses.get('from') ?? [], judge)]
  const isOfTable = refs.some(({ alias }) => chosen.join('') === `${alias}.project`)
  if (!isKey(chosen) && !isOfTable)
    judge.faults.push(`an INSERT into ${name} puts something else than $1 into project`)
  requireKeys(refs, [clauses.get('from') ?? [], clauses.get('where') ?? []], judge)
  // Citus gathers such rows on its coordinator and copies them into the shards, which row-level security refuses; where it must look for
  // conflicts, or give rows back, it inserts them there.
  if (!hasArbiter) judge.faults.push(`an INSERT … SELECT into ${name} has neither ON CONFLICT nor RETURNING`)
}

/** `DISTINCT ON (…) $1` */
function withoutDistinct(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0] !== 'distinct') return tokens
  return tokens[1] === 'on' ? tokens.slice(3) : tokens.slice(1)
}

/** Subqueries, wherever they stand. */
function judgeInner(tokens: readonly Token[], judge: Judge): void {
  for (const token of tokens) {
    if (!isList(token)) continue
    if (token[0] === 'select' || token[0] === 'with' || isBracketed(token)) judgeQuery(token, judge)
    else judgeInner(token, judge)
  }
}

/** `((SELECT …))`, `((SELECT …) UNION (SELECT …))`; not the arguments `((SELECT …), 0)`. */
function isBracketed(tokens: readonly Token[]): boolean {
  const [first, next] = tokens
  const isWhole = next === undefined || (typeof next === 'string' && SET_OPERATIONS.has(next))
  return isList(first) && holdsQuery(first) && isWhole
}

function holdsQuery(tokens: readonly Token[]): boolean {
  return tokens[0] === 'select' || (isList(tokens[0]) && holdsQuery(tokens[0]))
}

interface Ref {
  readonly table: string
  readonly alias: string
}

/** The tables that a FROM names; functions, subqueries and CTEs are none. */
function* refsOf(from: readonly Token[], judge: Judge): Generator<Ref> {
  for (const item of itemsOf(from)) {
    let at = 0
    while (item[at] === 'lateral' || item[at] === 'only') at++
    const first = item[at]
    if (first === undefined) continue
    if (isList(first)) {
      if (!holdsQuery(first) && first[0] !== 'with' && first[0] !== 'values') yield* refsOf(first, judge)
      continue
    }
    // A function: `unnest(…) AS r(key)`.
    if (isList(item[at + 1])) continue
    const alias = item[at + 1] === 'as' ? item[at + 2] : item[at + 1]
    const isAlias = typeof alias === 'string' && !CLAUSES.has(alias) && !JOINS.has(alias)
    if (judge.ctes.has(first)) continue
    yield { table: first, alias: isAlias ? alias : first }
  }
}

/** What a FROM joins, without the conditions. */
function itemsOf(from: readonly Token[]): Token[][] {
  const items: Token[][] = [[]]
  let isCondition = false
  for (const token of from) {
    if (token === ',' || token === 'join') {
      items.push([])
      isCondition = false
    } else if (token === 'on' || token === 'using') isCondition = true
    else if (typeof token === 'string' && JOINS.has(token)) isCondition = true
    else if (!isCondition) items.at(-1)?.push(token)
  }
  return items
}

function requireKeys(refs: readonly Ref[], conditions: readonly (readonly Token[])[], judge: Judge): void {
  for (const { table, alias } of refs) {
    if (judge.tables.reference.has(table)) continue
    if (!judge.tables.distributed.has(table)) judge.faults.push(`${table} is a table nobody knows`)
    else if (!conditions.some(condition => narrows(condition, alias, refs.length === 1)))
      judge.faults.push(`${alias === table ? table : `${table} ${alias}`} is not narrowed by project = $1`)
  }
}

const BEFORE = new Set<Token | undefined>([undefined, 'on', 'and', 'where'])
const AFTER = new Set<Token | undefined>([
  undefined,
  'and',
  ',',
  'join',
  'left',
  'right',
  'full',
  'inner',
  'cross',
  'where',
])

/** `alias.project = $1`, among what must all hold: a side of an OR narrows nothing. */
function narrows(condition: readonly Token[], alias: string, isAlone: boolean): boolean {
  const parts = split(condition, token => token === 'on' || token === 'join' || token === ',')
  return parts.some(part => {
    if (part.includes('or')) return false
    return part.some((token, i) => {
      if (token !== 'project' || part[i + 1] !== '=' || part[i + 2] !== '$1') return false
      const isNamed = part[i - 1] === '.'
      if (isNamed ? part[i - 2] !== alias : !isAlone) return false
      const after = part.slice(i + 3)
      const end = after[0] === '::' ? after[2] : after[0]
      return BEFORE.has(part[isNamed ? i - 3 : i - 1]) && AFTER.has(end)
    })
  })
}

function isKey(expression: readonly Token[]): boolean {
  return (
    expression[0] === '$1' && (expression.length === 1 || expression[1] === '::' || expression[1] === 'as')
  )
}

/** What stands in each clause of one query; the first of a kind counts. */
function clausesOf(tokens: readonly Token[]): ReadonlyMap<string, readonly Token[]> {
  const clauses = new Map<string, Token[]>()
  let current: Token[] = []
  let name = ''
  for (const [i, token] of tokens.entries()) {
    const isStart =
      typeof token === 'string' &&
      CLAUSES.has(token) &&
      // A join's own words, and a column of that name.
      !(token === 'on' && (name === 'from' || name === 'using')) &&
      !(token === 'using' && name === 'from' && tokens[0] !== 'delete') &&
      !((token === 'from' || token === 'on') && tokens[i - 1] === 'distinct') &&
      tokens[i - 1] !== '.'
    if (!isStart) {
      current.push(token)
      continue
    }
    name = token
    current = []
    if (!clauses.has(token)) clauses.set(token, current)
  }
  return clauses
}

function split(tokens: readonly Token[], isBorder: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (isBorder(token)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part, i) => part.length > 0 || i === 0)
}
