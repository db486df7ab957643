import { describe, expect, it } from 'vitest'
import type { Message, ToolRun } from '../../../kernel/model/message.ts'
import { reasonsToAsk } from './worth-asking.ts'

const user = (text: string): Message => ({ role: 'user', text })
const agent = (text: string): Message => ({ role: 'agent', text })
const run = (command: string, ok: boolean): Message => ({
  role: 'tool',
  text: '',
  run: { tool: 'Bash', command, ok } satisfies ToolRun,
})

const EDIT: Message = {
  role: 'tool',
  text: '',
  run: { tool: 'Edit', files: ['src/a.ts'], isEdit: true, ok: true },
}

describe('reasonsToAsk', () => {
  for (const [what, messages] of [
    ['an empty session', []],
    ['a short question', [user('What does the parser return for an empty file?'), agent('An empty list.')]],
    ['an order that was carried out', [user('Fix the typo in the title.'), agent('Done.'), user('thanks')]],
    ['one failure that passes', [run('npm test', false), run('npm test', true)]],
    [
      'a command that never passes',
      [run('npm test', false), run('npm test', false), run('npm run lint', true)],
    ],
    ['a long pasted document with rules in it', [user(`${'Always do this. '.repeat(200)}`)]],
    ['what hosts say to themselves', [{ ...user('Always use tabs.'), internal: true }]],
  ] as const)
    it(`does not ask after ${what}`, () => expect(reasonsToAsk(messages)).toEqual([]))

  for (const [reason, messages] of [
    ['rule', [user('From now on put the date first in file names.')]],
    ['rule', [user('Nunca altere o esquema à mão, por favor.')]],
    ['correction', [user('Rename it.'), agent('Renamed everywhere.'), user('No, only in the client.')]],
    ['correction', [user('Renomeie.'), agent('Feito.'), user('Você esqueceu o cliente.')]],
    ['decision', [user('Let’s go with the queue, the cron job was flaky.')]],
    ['decision', [agent('Which approach do you want?'), user('the second')]],
    ['check', [run('npm  test', false), run('npm test', false), run('npm test ', true)]],
    [
      'check',
      [run('npm test', false), run('npm test', false), EDIT, agent('Fixed: a type.'), run('npm test', true)],
    ],
    ['long', Array.from({ length: 5 }, (_, at) => user(`Show file ${at}.`))],
    ['long', Array.from({ length: 40 }, (_, at) => run(`cat ${at}`, true))],
  ] as const)
    it(`asks because of a ${reason}: ${'text' in (messages[0] ?? {}) ? messages[0]?.text.slice(0, 40) : ''}`, () =>
      expect(reasonsToAsk(messages)).toContain(reason))
})
