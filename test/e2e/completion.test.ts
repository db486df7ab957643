import { describe, expect, it } from 'vitest'
import { inWorld, runProcess, type World } from './world.ts'

async function has(world: World, shell: string): Promise<boolean> {
  const run = await runProcess('sh', ['-c', `command -v ${shell}`], {
    cwd: world.root,
    env: world.environment,
  })
  return run.code === 0
}

/** What bash offers after these words, the last one unfinished. */
async function offered(world: World, ...words: string[]): Promise<string[]> {
  const line = words.map(word => `'${word}'`).join(' ')
  const script = `${await world.ok('completion', 'bash')}
COMP_WORDS=(cairn ${line}); COMP_CWORD=${words.length}; _cairn; printf '%s\\n' "\${COMPREPLY[@]}"`
  const run = await runProcess('bash', ['-c', script], { cwd: world.root, env: world.environment })
  expect(run.stderr).toBe('')
  return run.stdout.split('\n').filter(word => word !== '')
}

describe.concurrent('completion', () => {
  it.skipIf(process.platform === 'win32')(
    'bash takes the script and completes verbs, second words and flags with it',
    inWorld(async world => {
      const script = await world.ok('completion', 'bash')
      const check = await runProcess('bash', ['-n'], {
        cwd: world.root,
        env: world.environment,
        input: script,
      })
      expect(check).toEqual({ code: 0, stdout: '', stderr: '' })
      expect(await offered(world, 'rem')).toEqual(['remember'])
      expect(await offered(world, 'task', '')).toEqual(['add', 'done', 'list'])
      expect(await offered(world, 'config', 'u')).toEqual(['unset'])
      expect(await offered(world, 'list', '--as')).toEqual(['--as-of'])
      expect(await offered(world, 'task', 'done', '--re')).toEqual(['--reopen'])
      expect(await offered(world, 'workspace', '')).toEqual(['plan', 'overview', 'learn', 'migrate'])
      expect(await offered(world, 'workspace', 'plan', '')).toEqual(['add', 'set'])
      expect(await offered(world, 'workspace', 'plan', 'set', '--st')).toEqual(['--status'])
      expect(await offered(world, 'search', 'words', '--js')).toEqual(['--json'])
      expect(await offered(world, 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
    }),
  )

  for (const shell of ['zsh', 'fish']) {
    it(
      `${shell} gets every verb, and takes the script where it is installed`,
      inWorld(async world => {
        const script = await world.ok('completion', shell)
        for (const verb of ['remember', 'search', 'task', 'alias', 'config', 'undo', 'completion'])
          expect(script).toContain(verb)
        for (const flag of ['as-of', 'dry-run', 'reopen', 'json']) expect(script).toContain(flag)
        if (await has(world, shell)) {
          const check = await runProcess(shell, ['-n'], {
            cwd: world.root,
            env: world.environment,
            input: script,
          })
          expect(check).toMatchObject({ code: 0, stderr: '' })
        }
      }),
    )
  }

  it(
    'another shell is refused with the way to call it',
    inWorld(async world => {
      expect(await world.failure('completion', 'tcsh')).toEqual({
        exit: 2,
        code: 'invalid_input',
        message: 'cairn completion needs a shell, and does not know "tcsh".',
        hint: 'For example: source <(cairn completion bash)',
      })
    }),
  )
})
