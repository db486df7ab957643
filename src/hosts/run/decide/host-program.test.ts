import { describe, expect, it } from 'vitest'
import { AGENT_HOSTS } from '../../../kernel/model/agent-run.ts'
import { HOSTS } from '../../hosts.ts'
import { hostWords } from './host-program.ts'

const programs = await Promise.all(AGENT_HOSTS.map(host => HOSTS[host].program()))

describe('the words behind a host’s program', () => {
  it('for a new chat, and for one that goes on with another model', () => {
    expect(programs.map(program => hostWords(program, {}).join(' '))).toEqual([
      '-p --output-format stream-json --verbose --include-partial-messages',
      'exec --json --skip-git-repo-check -',
      '--output-format stream-json',
      'run --format json',
      '-p --output-format stream-json',
    ])
    expect(programs.map(program => hostWords(program, { chat: 'c1', model: 'm/x' }).join(' '))).toEqual([
      '-p --output-format stream-json --verbose --include-partial-messages --model m/x --resume c1',
      'exec resume --json --skip-git-repo-check --model m/x c1 -',
      '--output-format stream-json --model m/x --resume c1',
      'run --format json --model m/x --session c1',
      '-p --output-format stream-json --model m/x --resume c1',
    ])
  })

  it('tell the server that Codex starts for us that it is to keep still', async () => {
    expect(hostWords(await HOSTS.codex.program(), { hasOwnServer: true })).toEqual([
      ...['exec', '--json', '--skip-git-repo-check'],
      ...['-c', 'mcp_servers.cairn.env.CAIRN_INTERNAL="1"', '-'],
    ])
  })

  it('are never what somebody else thought of', () => {
    const hostile = [
      '--dangerously-skip-permissions',
      '-c',
      '',
      ' a',
      'a b',
      '$(id)',
      'a\nb',
      'a\0',
      'x'.repeat(300),
    ]
    for (const program of programs)
      for (const word of hostile) {
        expect(() => hostWords(program, { chat: word })).toThrow(/chatId/)
        expect(() => hostWords(program, { model: word })).toThrow(/model/)
      }
  })
})
