import { describe, expect, it } from 'vitest'
import type { Message, ToolRun } from '../../../kernel/model/message.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { composeHandoff, composeSummary, lastMessages } from './handoff.ts'

const user = (text: string): Message => ({ role: 'user', text })
const agent = (text: string): Message => ({ role: 'assistant', text })
const tool = (run: ToolRun): Message => ({ role: 'tool', text: run.command ?? run.tool, run })
const edit = (...files: string[]) => tool({ tool: 'Edit', files, isEdit: true, ok: true })
const bash = (command: string, exitCode: number, output = '') =>
  tool({ tool: 'Bash', command, exitCode, output })
const SEED = { last: 6, characters: 200 }

const REPORT = `Done. The upload now retries.

## What changed
- Retries with a growing delay in \`src/upload.ts\`
- A limit of five attempts, from the configuration

## Next steps
- Document the new option in the guide
- Try it against the slow test server`

describe('a handoff', () => {
  it('says what was asked, verified, claimed and left', () => {
    const text = composeHandoff([
      user('Please add retries to the upload of attachments'),
      edit('src/upload.ts'),
      bash('npm test', 0, '12 passed'),
      agent(REPORT),
    ])
    expect(text.split('\n')).toEqual([
      'Asked: Please add retries to the upload of attachments',
      'Done and verified: `npm test` passed after the last edit. Changed src/upload.ts.',
      'Claimed, not verified: The upload now retries. What changed: Retries with a growing delay in `src/upload.ts`; A limit of five attempts, from the configuration.',
      'Left: Document the new option in the guide. Try it against the slow test server.',
    ])
  })

  it('does not call work verified that was edited after the check', () => {
    const text = composeHandoff([
      user('Please add retries to the upload of attachments'),
      bash('npm test', 0, '12 passed'),
      edit('src/upload.ts'),
      agent(REPORT),
    ])
    expect(text).not.toContain('Done and verified')
    expect(text).toContain('`npm test` passed before the last edit. Changed src/upload.ts.')
  })

  it('calls work verified if only a memory file was edited after the check', () => {
    const text = composeHandoff([
      user('Please add retries to the upload of attachments'),
      edit('src/upload.ts'),
      bash('npm test', 0, '12 passed'),
      edit('.memory/shared/decisions.md'),
      agent(REPORT),
    ])
    expect(text).toContain('Done and verified: `npm test` passed after the last edit. Changed src/upload.ts.')
  })

  it('names the last failed check, with its error', () => {
    const text = composeHandoff([
      user('Get the whole build green again, please'),
      edit('src/a.ts'),
      bash('npx tsc --noEmit', 2, "src/a.ts(3,7): error TS2322: Type 'string' is not assignable"),
      bash('npm test', 1, 'AssertionError: expected 1 to be 2'),
      edit('src/a.ts'),
      bash('npm test', 0, '3 passed'),
      agent('The tests are green now.'),
    ])
    expect(text).toContain('Done and verified: `npm test` passed after the last edit.')
    expect(text).toContain(
      'Left: `npx tsc --noEmit` failed before the last edit: src/a.ts(3,7): error TS2322',
    )
    expect(text).not.toContain('AssertionError')
  })

  it('uses the report of the work, not the answer to a later question', () => {
    const text = composeHandoff([
      user('Please add retries to the upload of attachments'),
      edit('src/upload.ts'),
      agent(REPORT),
      user('And what does idempotent mean, by the way?'),
      agent(
        `An operation is idempotent when doing it twice has the effect of doing it once. ${'It matters. '.repeat(20)}`,
      ),
    ])
    expect(text).toContain('The upload now retries.')
    expect(text).toContain(' → And what does idempotent mean, by the way?')
    expect(text).not.toContain('An operation')
  })

  it('uses the answer to a short reply as the report of the work before it', () => {
    const text = composeHandoff([
      user('Please add retries to the upload of attachments'),
      edit('src/upload.ts'),
      agent('Now the configuration gets its new key.'),
      user('we timed out again'),
      agent(
        `Here is where we stand:\n\n### In place\n- Retries in the upload, with a growing delay\n- The key of the limit in the configuration file\n\n${'The rest of the design stays as it was before. '.repeat(2)}`,
      ),
    ])
    expect(text).toContain('Retries in the upload, with a growing delay')
  })

  it('names the requests in their order, without acknowledgements', () => {
    const text = composeHandoff([
      user('Please add retries to the upload of attachments'),
      edit('src/upload.ts'),
      agent('I added the retries to the upload of attachments.'),
      user('yes, go ahead'),
      agent('Fine.'),
      user('do not run the seeds'),
      agent('I will not.'),
      user('Now make the number of attempts configurable, please'),
      edit('src/config.ts'),
      agent('The number of attempts is read from the configuration.'),
      user('/exit'),
    ])
    expect(text.split('\n')[0]).toBe(
      'Asked: Please add retries to the upload of attachments → do not run the seeds → Now make the number of attempts configurable, please',
    )
    expect(text).not.toContain('Left')
  })

  it('names the first request, the one with most changes and the last four of many', () => {
    const turn = (n: number, edits: number) => [
      user(`Please build part number ${n} of the new export`),
      ...Array.from({ length: edits }, (_, at) => edit(`src/part-${n}-${at}.ts`)),
      agent(`Part ${n} of the export is there.`),
    ]
    const text = composeHandoff([0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap(n => turn(n, n === 2 ? 5 : 1)))
    const named = [...(text.split('\n')[0] as string).matchAll(/number (\d)|…/g)].map(([all, n]) => n ?? all)
    expect(named).toEqual(['0', '…', '2', '…', '5', '6', '7', '8'])
  })

  it('uses the result in a message that begins with a diagnosis and a plan', () => {
    const text = composeHandoff([
      user('Sort the bookings by the day of arrival'),
      edit('src/bookings.ts'),
      agent(
        "I'll find where the bookings are sorted. The list is sorted by the newest first. I need to:\n1. Add a default order\n2. Change the query of the list\n\nLet me make these changes: Now let me also update the other query: Perfect! The bookings are sorted by the day of arrival, from the earliest to the latest.\n\nIf you want, I can:\n- Add a test of the order",
      ),
    ])
    expect(text).toContain(
      'Claimed, not verified: The bookings are sorted by the day of arrival, from the earliest to the latest. Changed',
    )
  })

  it('includes the end of a long report', () => {
    const text = composeHandoff([
      user('Sort the bookings by the day of arrival'),
      edit('src/bookings.ts'),
      agent(
        `The order of the bookings came from the wrong column. ${'The query reads the table in the order in which rows were added. '.repeat(12)}\n\nThe list now begins with the earliest arrival.`,
      ),
    ])
    expect(text).toContain('Claimed, not verified: The order of the bookings came from the wrong column.')
    expect(text).toContain('… ')
    expect(text).toContain('The list now begins with the earliest arrival.')
  })

  it('lists the commands if the agent reports nothing', () => {
    const text = composeHandoff([
      user('Fill the database with hundreds of records of each kind'),
      edit('/home/ana/shop/priv/repo/seeds.exs'),
      bash('mix run priv/repo/seeds.exs', 0),
    ])
    expect(text).toContain(
      'Claimed, not verified: Changed …/priv/repo/seeds.exs. Ran `mix run priv/repo/seeds.exs`.',
    )
  })

  it('names no failed check that ran again with an unknown outcome', () => {
    const text = composeHandoff([
      user('Get the whole build green again, please'),
      edit('src/a.ts'),
      bash('npm run lint', 1, '2 problems'),
      bash('npm run lint 2>&1 | tail -3', 0, 'Finished in 8 s'),
      agent('The lint is fixed, and the build should be green again.'),
    ])
    expect(text).not.toContain('failed')
  })

  it('does not treat a text to remember as a request', () => {
    const remembered = user('#remember The attachments of one upload share a single folder.')
    const work = [edit('src/upload.ts'), agent(REPORT)]
    const request = user('Please add retries to the upload of attachments')
    for (const talk of [
      [remembered, agent('Stored.'), request, ...work],
      [request, agent('On it.'), remembered, ...work],
    ])
      expect(composeHandoff(talk).split('\n')[0]).toBe(
        'Asked: Please add retries to the upload of attachments',
      )
  })

  it('says where the session was interrupted', () => {
    const interrupted = composeHandoff([
      user('Please add retries to the upload of attachments'),
      agent('Now the configuration gets its new key:'),
      edit('src/config.ts'),
    ])
    expect(interrupted).toContain('Left: The session ended during: Now the configuration gets its new key.')
    const unanswered = composeHandoff([
      user('Please add retries to the upload of attachments'),
      edit('src/upload.ts'),
      agent('I added the retries to the upload of attachments.'),
      user('The delay is still far too long for the phones'),
    ])
    expect(unanswered).toContain('Left: Not answered: The delay is still far too long for the phones.')
  })

  it('includes the agent’s last question', () => {
    const text = composeHandoff([
      user('Clean up the branches that nobody uses any more'),
      bash('npm run lint', 0),
      agent('Three branches are merged. Shall I delete them on the server too?'),
    ])
    expect(text).toContain('Left: The agent asked: Shall I delete them on the server too?')
  })

  it('includes an unanswered request that a short message followed', () => {
    const text = composeHandoff([
      user('Please add retries to the upload of attachments'),
      edit('src/upload.ts'),
      agent('I added the retries to the upload of attachments.'),
      user('Now add the same button to the other cards too'),
      user('try again'),
    ])
    expect(text.split('\n')).toEqual([
      'Asked: Please add retries to the upload of attachments',
      'Claimed, not verified: I added the retries to the upload of attachments. Changed src/upload.ts.',
      'Left: Not answered: Now add the same button to the other cards too.',
    ])
  })

  it('includes the sentence before a short question', () => {
    const text = composeHandoff([
      user('Look at the review of the request and answer it'),
      bash('npm run lint', 0),
      agent('The review has five comments.\n\nProposed: apply the first two, then merge the branch.\n\nGo?'),
    ])
    expect(text).toContain('Left: The agent asked: Proposed: apply the first two, then merge the branch. Go?')
  })

  it('explains a choice', () => {
    const choice = composeHandoff([
      user('Deploy the staging site with the new token, please'),
      bash('npm run build', 0),
      agent('Two ways:\n- **Option A**: keep the table\n- **Option B**: move it to its own file'),
      user('Option B'),
      edit('src/table.ts'),
      agent('Moved.'),
    ])
    expect(choice.split('\n')[0]).toContain(' → Option B (move it to its own file)')
  })

  it('names the interrupted work and marks earlier work as earlier', () => {
    const text = composeHandoff([
      user('Write the manifesto for working in this project'),
      edit('docs/manifesto.md'),
      agent(
        `I have written the manifesto. It says how we test, which things we log, how we name files and folders, and who reviews a change before it is merged; every part has an example.`,
      ),
      user('Now replace the deprecated methods with the established ones'),
      agent('Now let me update the standings method:'),
      edit('src/standings.ts'),
      agent('Now let me update the special matches:'),
      edit('src/matches.ts'),
    ])
    expect(text.split('\n')).toEqual([
      'Asked: Write the manifesto for working in this project → Now replace the deprecated methods with the established ones',
      'Claimed, not verified: Earlier: I have written the manifesto. It says how we test, which things we log, how we name files and folders, and who reviews a change before it is merged; every part has an example. Changed src/standings.ts, src/matches.ts, docs/manifesto.md.',
      'Left: The session ended during: Now let me update the standings method; Now let me update the special matches.',
    ])
  })

  it('is complete if it ends with a commit or with writing the files that the agent showed', () => {
    const shown = [
      user('Make the cards on the page all the same width'),
      agent('src/page.tsx\n```\nexport const width = 350\n```'),
      edit('src/page.tsx'),
    ]
    expect(composeHandoff(shown)).not.toContain('Left')
    expect(composeHandoff([...shown, bash('git commit -am "style: one width for all cards"', 0)])).toBe(
      'Asked: Make the cards on the page all the same width\nClaimed, not verified: Committed “style: one width for all cards”. Changed src/page.tsx.',
    )
  })

  it('names the commits, and edits after the last one', () => {
    const session = [
      user('Please add retries to the upload of attachments'),
      edit('src/upload.ts'),
      bash('git add -A && git commit -m "$(cat <<\'EOF\'\nupload: retry five times\n\nMore.\nEOF\n)"', 0),
      bash('git commit -m "never made"', 1, 'error: nothing to commit'),
      tool({ tool: 'Bash', command: 'git commit -m "never made, or nobody knows"' }),
    ]
    expect(composeHandoff([...session, agent('Done and committed.')])).toContain(
      'Committed “upload: retry five times”. Changed src/upload.ts.',
    )
    const text = composeHandoff([...session, edit('src/config.ts'), agent('The limit is configurable.')])
    expect(text).toContain('Left: The last edits are not in a commit of this session.')
    expect(text).not.toContain('never made')
  })

  it('lists unticked boxes and announced next steps as left', () => {
    const text = composeHandoff([
      user('Set up the sign-in with the other providers'),
      edit('src/sign-in.ts'),
      agent(
        '## Checklist\n- [x] The address of the site is configured\n- [ ] The provider is enabled in the console\n\nSiguiente paso sugerido\n1. Prueba el acceso en el navegador\n\n**下一步**\n- 重新打开页面，用测试用户登录一次',
      ),
    ])
    expect(text).toContain('Claimed, not verified: Checklist: The address of the site is configured.')
    expect(text).toContain(
      'Left: The provider is enabled in the console. Prueba el acceso en el navegador. 重新打开页面，用测试用户登录一次.',
    )
  })

  it.each([
    ['The driver ignores SIGTERM while a cursor is open. Next: wire the metrics.', 'wire the metrics.'],
    ['O arquivo agora é lido uma vez. Próximo passo: testar a exportação.', 'testar a exportação.'],
    [
      'The import runs. Still to do: measure it on big files. Then delete the old one.',
      'measure it on big files. Then delete the old one.',
    ],
  ])('takes a step that is announced in its own sentence for what is left: %s', (reply, left) => {
    const text = composeHandoff([user('Make the import run once'), edit('src/import.ts'), agent(reply)])
    expect(text).toContain(`\nLeft: ${left}`)
  })

  it.each([
    'Left as it is: the table of the old import.',
    'Remaining steps: none.',
    'Next comes the reader: it blocks.',
  ])('takes for no step: %s', reply => {
    const text = composeHandoff([
      user('Make the import run once'),
      edit('src/import.ts'),
      agent(`The import runs once per file. ${reply}`),
    ])
    expect(text).not.toContain('Left:')
  })

  it('includes the line above a list', () => {
    const text = composeHandoff([
      user('The flag does the opposite of what I would expect'),
      edit('src/table.ts'),
      agent(
        'Swapped the logic of both modes.\n\n**When `compact` is set:**\n- Columns fit their content\n- They never grow beyond it\n\n**When it is not set:**\n- Columns fill the whole table',
      ),
    ])
    expect(text).toContain(
      'Claimed, not verified: Swapped the logic of both modes. When `compact` is set: Columns fit their content; They never grow beyond it. When it is not set: Columns fill the whole table. Changed src/table.ts.',
    )
  })

  it('ignores code in a long message', () => {
    const code = `<Button size="sm">\nSend Test Message Now\n</Button>\n`.repeat(400)
    const text = composeHandoff([
      user('Make the cards on the page all the same width'),
      agent(`The cards have one width now, in both columns.\n\n\`\`\`\n${code}\`\`\``),
      edit('src/page.tsx'),
      agent(`The cards have one width now, in both columns.\n\n\`\`\`\n${code}\`\`\``),
    ])
    expect(text).toContain('The cards have one width now, in both columns.')
    expect(text).not.toContain('Send Test Message')
  })

  it('is empty for a side session: a question or two, without edits and checks', () => {
    expect(
      composeHandoff([
        user('Where is the retry limit configured, and what is it today?'),
        tool({ tool: 'Read', files: ['src/config.ts'], ok: true }),
        agent(`It is in src/config.ts: five attempts. ${'The default comes from the table. '.repeat(10)}`),
      ]),
    ).toBe('')
    expect(composeHandoff([])).toBe('')
  })

  it('exists for a long discussion and for a session that was put to sleep', () => {
    const talk = Array.from({ length: 6 }, (_, n) => [
      user(`What about the design of part number ${n}?`),
      agent(`Part ${n} should read its settings once and keep them.`),
    ]).flat()
    expect(composeHandoff(talk)).toContain('Asked: What about the design of part number 0?')
    expect(composeHandoff(talk.slice(0, 2))).toBe('')
    expect(composeHandoff(talk.slice(0, 2), { always: true })).toContain('Asked: What about')
  })

  it('reads reports in other languages', () => {
    const text = composeHandoff([
      user('Por favor, corrija o filtro da busca por perspectiva'),
      edit('src/busca.py'),
      agent(
        '## Problema resolvido com sucesso\n\n- Filtro por perspectiva corrigido em `src/busca.py`\n\n## Próximos passos\n- Rodar o benchmark completo',
      ),
    ])
    expect(text).toContain(
      'Claimed, not verified: Problema resolvido com sucesso: Filtro por perspectiva corrigido',
    )
    expect(text).toContain('Left: Rodar o benchmark completo.')
  })

  it('has no private, injected, internal or skipped text', () => {
    const text = composeHandoff([
      user(
        '<project_memory>\nold memory\n</project_memory>\nFix the <private>secret</private> login page today, please',
      ),
      { role: 'agent', text: 'between agents', internal: true },
      user('My password is hunter2 and more words follow here #skip'),
      edit('src/login.ts'),
      agent('I fixed the login page.'),
    ])
    expect(text).not.toMatch(/old memory|secret|hunter2|between agents/)
    expect(text).toContain('Asked: Fix the login page today, please')
  })

  it('stays compact, and fits into a small entry', () => {
    const long = [
      user(`Please migrate the storage layer. ${'There is much to consider about it. '.repeat(60)}`),
      edit(...Array.from({ length: 30 }, (_, n) => `src/storage/file-${n}.ts`)),
      agent(
        `# Migration complete\n${Array.from({ length: 60 }, (_, n) => `- Moved the table number ${n} to the new layout with its index`).join('\n')}`,
      ),
    ]
    expect(estimateTokens(composeHandoff(long))).toBeLessThanOrEqual(250)
    expect(Buffer.byteLength(composeHandoff(long, { maxBytes: 500 }))).toBeLessThanOrEqual(500)
  })
})

describe('the last messages', () => {
  it('are six, in the form of the seed', () => {
    const messages = Array.from({ length: 9 }, (_, n) =>
      n % 2 === 0 ? user(`ask ${n}`) : agent(`answer ${n}`),
    )
    expect(lastMessages(messages, SEED)).toBe(
      '[Agent]: answer 3\n[User]: ask 4\n[Agent]: answer 5\n[User]: ask 6\n[Agent]: answer 7\n[User]: ask 8',
    )
  })

  it('are cut to 200 characters on one line, never inside a character', () => {
    const long = lastMessages([user(`a\n\n  b ${'x'.repeat(300)}`)], SEED)
    expect(long).toHaveLength('[User]: '.length + 200)
    expect(long.startsWith('[User]: a b xxx')).toBe(true)
    expect(long.endsWith('x…')).toBe(true)
    const faces = lastMessages([user('😀'.repeat(200))], { last: 1, characters: 12 })
    expect(faces).toBe(`[User]: ${'😀'.repeat(5)}…`)
  })

  it('skip internal, injected, printed, private and #skip text, and use older messages instead', () => {
    const messages: Message[] = [
      user('First ask'),
      agent('First answer'),
      { role: 'agent', text: 'between agents', internal: true },
      { role: 'tool', text: 'npm test\nok' },
      { role: 'system', text: 'You are …' },
      user('My password is hunter2 #skip'),
      user('<project_memory>\nold memory\n</project_memory>\nSecond <private>ask me</private> ask'),
      user('<private>all of it</private>'),
    ]
    expect(lastMessages(messages, SEED)).toBe('[User]: First ask\n[Agent]: First answer\n[User]: Second ask')
    expect(lastMessages([], SEED)).toBe('')
  })
})

describe('a summary', () => {
  it('is the request, on one line', () => {
    const messages = [
      user('Make it fast\nfor phones'),
      agent('Done'),
      user('Now write the tests'),
      agent('Done'),
    ]
    expect(composeSummary(messages)).toBe('Make it fast for phones')
    expect(composeSummary([user('hi'), user('Now write the tests')])).toBe('Now write the tests')
    expect(composeSummary([agent('Hello')])).toBe('')
  })
})
