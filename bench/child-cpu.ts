import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * CPU milliseconds, user and system, of `node` started once with each list of arguments, one after another. Node cannot
 * tell what its children used; a shell can, with its `times`, which also counts what a process does on its way out.
 */
export async function cpuOfNodeRuns(
  runs: readonly (readonly string[])[],
  /** A file for the standard input of each. */
  inputs: readonly (string | undefined)[] = [],
): Promise<number> {
  const inputOf = (at: number) => (inputs[at] === undefined ? '' : ` < ${quote(inputs[at])}`)
  const lines = runs.map(
    (values, at) =>
      `${[process.execPath, ...values].map(quote).join(' ')}${inputOf(at)} > /dev/null || { echo "run failed: $?" >&2; exit 1; }`,
  )
  // bash reports milliseconds; other shells round to hundredths.
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  const { stdout } = await run(shell, ['-c', [...lines, 'times'].join('\n')], { env: plainEnvironment() })
  return parseTimes(stdout)
}

/**
 *   0m0.002s 0m0.003s     the shell
 *   0m0.301s 0m0.098s     its children  ->  399
 */
export function parseTimes(output: string): number {
  const children = output.trim().split('\n')[1] ?? ''
  const millis = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => (Number(minutes) * 60 + Number(seconds)) * 1000,
  )
  if (millis.length !== 2) throw new Error(`the shell's \`times\` gave: ${output}`)
  return millis.reduce((total, value) => total + value, 0)
}

/** Without what would slow down every start of Node, on both sides of a comparison. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const {
    NODE_EXTRA_CA_CERTS: _certificates,
    NODE_OPTIONS: _options,
    CAIRN_ROOT: _root,
    CAIRN_AGENT: _agent,
    ...rest
  } = process.env
  return { ...rest, LC_ALL: 'C' }
}

function quote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}
