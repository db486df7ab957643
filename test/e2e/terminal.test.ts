import { chmodSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSaying } from '../support/vault-files.ts'
import { NO_TERMINAL, onTerminal } from './pseudo-terminal.ts'
import { inWorld, type World } from './world.ts'

async function two(world: World): Promise<void> {
  await world.ok('remember', 'The deploy script needs a token.')
  await world.ok('remember', 'The deploy script runs on Tuesdays.')
}

/** An editor that does as it is told, for $EDITOR. */
function makeEditor(world: World, script: string): string {
  const file = path.join(world.home, 'editor')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

describe.skipIf(NO_TERMINAL !== undefined)(`on a terminal ${NO_TERMINAL ?? ''}`, { concurrent: true }, () => {
  it(
    'forget by words that fit several asks, and removes the one that was named',
    inWorld(async world => {
      await two(world)
      const { screen, code } = await onTerminal(world, ['forget', 'deploy script'], {
        say: [['Which one?', '2\n']],
      })
      expect(code).toBe(0)
      expect(screen).toContain('Which one? [1-2, Enter for none]')
      const second = /2\u001b\[0m {2}\u001b\[2m\S+\u001b\[0m {2}(.*)/.exec(screen)?.[1]
      expect(screen).toContain('Forgotten')
      expect((await world.json('list')).entries.map(entry => entry.content)).toEqual(
        ['The deploy script needs a token.', 'The deploy script runs on Tuesdays.'].filter(
          text => text !== second,
        ),
      )
    }),
  )

  for (const [answer, words] of [
    ['', 'Enter'],
    ['7', 'a number that is not there'],
    ['yes', 'a word'],
  ]) {
    it(
      `forget leaves everything as it is after ${words}`,
      inWorld(async world => {
        await two(world)
        const { screen, code } = await onTerminal(world, ['forget', 'deploy script'], {
          say: [['Which one?', `${answer}\n`]],
        })
        expect(code).toBe(5)
        expect(screen).toContain('Nothing was changed.')
        expect((await world.json('list')).total).toBe(2)
      }),
    )
  }

  it(
    'forget leaves everything as it is after Ctrl-C and Ctrl-D',
    inWorld(async world => {
      await two(world)
      for (const key of ['\u0003', '\u0004']) {
        const { code } = await onTerminal(world, ['forget', 'deploy script'], { say: [['Which one?', key]] })
        expect(code).not.toBe(0)
      }
      expect((await world.json('list')).total).toBe(2)
    }),
  )

  it(
    'pin by words that fit several asks too',
    inWorld(async world => {
      await two(world)
      const { screen } = await onTerminal(world, ['pin', 'deploy script'], { say: [['Which one?', '1\n']] })
      expect(screen).toContain('Pinned')
      expect((await world.json('list', '--status', 'pinned')).total).toBe(1)
    }),
  )

  it(
    '--json never asks',
    inWorld(async world => {
      await two(world)
      const { screen, code } = await onTerminal(world, ['forget', 'deploy script', '--json'])
      expect(code).toBe(4)
      expect(screen).not.toContain('Which one?')
    }),
  )

  it(
    'edit opens $EDITOR on the text and keeps what it saved, without the editor’s last line break',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'Before.')
      const editor = makeEditor(world, 'grep -q Before. "$1" && printf "After. #edited\\n" > "$1"')
      const { code } = await onTerminal(world, ['edit', entry.id], { env: { EDITOR: editor } })
      expect(code).toBe(0)
      expect((await world.json('show', entry.id)).entry).toMatchObject({
        content: 'After. #edited',
        tags: ['edited'],
      })
    }),
  )

  it(
    'edit keeps the entry when the editor fails, empties the file, or somebody else was faster',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'Stays.')
      const failing = makeEditor(world, 'printf changed > "$1"; exit 1')
      expect((await onTerminal(world, ['edit', entry.id], { env: { EDITOR: failing } })).code).toBe(5)
      const emptying = makeEditor(world, ': > "$1"')
      expect((await onTerminal(world, ['edit', entry.id], { env: { EDITOR: emptying } })).code).toBe(2)
      expect((await onTerminal(world, ['edit', entry.id], { env: { EDITOR: 'no-such-editor' } })).code).toBe(
        5,
      )
      const file = path.join(world.root, fileSaying(world.root, 'Stays.'))
      const slow = makeEditor(
        world,
        `printf mine > "$1"; sed -i.old 's/Stays./Theirs./' '${file}'; rm -f '${file}.old'`,
      )
      expect((await onTerminal(world, ['edit', entry.id], { env: { EDITOR: slow } })).code).toBe(4)
      expect((await world.json('show', entry.id)).entry.content).toBe('Theirs.')
    }),
  )

  it(
    'search is coloured, marks the words, and NO_COLOR is obeyed',
    inWorld(async world => {
      await two(world)
      const { screen } = await onTerminal(world, ['search', 'tuesday'])
      expect(screen).toContain('\u001b[1mTuesdays\u001b[0m')
      const plain = await onTerminal(world, ['search', 'tuesday'], { env: { NO_COLOR: '1' } })
      expect(plain.screen).not.toContain('\u001b')
    }),
  )

  it(
    'a long entry is cut to the width of the terminal, and to a usable one when the terminal does not know its own',
    inWorld(async world => {
      await world.ok('remember', 'x'.repeat(30) + ' word'.repeat(60))
      const widths = await Promise.all(
        [40, 120, 0].map(async width => {
          const { screen } = await onTerminal(world, ['list', '--no-color'], { width })
          return screen.split('\n')[1]?.length
        }),
      )
      expect(widths).toEqual([39, 119, 99])
    }),
  )

  it(
    'import shows a bar that is gone at the end',
    inWorld(async world => {
      world.write(
        'notes.jsonl',
        Array.from({ length: 50 }, (_, n) => JSON.stringify({ text: `Note ${n}` })).join('\n'),
      )
      const { screen, code } = await onTerminal(world, ['import', 'notes.jsonl'])
      expect(code).toBe(0)
      expect(screen).toMatch(/█+ 100 %/)
      expect(screen.trimEnd().split('\n').at(-1)).toContain('Read 50 lines: 50 added')
    }),
  )
})
