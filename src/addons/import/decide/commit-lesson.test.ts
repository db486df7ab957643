import { describe, expect, it } from 'vitest'
import { lessonOfCommit } from './commit-lesson.ts'

const of = (message: string, author = 'Ana', email = 'ana@example.org') =>
  lessonOfCommit({ author, email, message })

describe('what a commit teaches', () => {
  it('is the cause of a fix', () => {
    expect(
      of(
        'fix(auth): refresh tokens before they expire\n\nThe proxy drops idle sockets after 60 s, so the refresh\nfailed when a tab was asleep. Root cause was the timer,\nwhich browsers throttle.\n\nSigned-off-by: Ana <ana@example.org>\nFixes: #12',
      ),
    ).toEqual({
      kind: 'error',
      content:
        'Refresh tokens before they expire\n\nThe proxy drops idle sockets after 60 s, so the refresh failed when a tab was asleep. Root cause was the timer, which browsers throttle.',
      importance: 0.6,
      tags: ['fix', 'auth'],
    })
  })

  it('is the reason of a revert, and what was reverted', () => {
    expect(
      of(
        'Revert "feat: cache sessions in memory"\n\nThis reverts commit 0123456789abcdef0123456789abcdef01234567.\n\nTwo instances disagreed because each had its own cache.',
      ),
    ).toEqual({
      kind: 'warning',
      content:
        'Reverted: Cache sessions in memory\n\nTwo instances disagreed because each had its own cache.',
      importance: 0.7,
      tags: ['revert'],
    })
  })

  it('is a change of course with its reason', () => {
    expect(
      of('Switch from Jest to Vitest\n\nJest needs a second transform because it does not know ESM.'),
    ).toMatchObject({ kind: 'decision', tags: [] })
  })

  it.each([
    ['says nothing of why', 'fix: typo in the parser'],
    [
      'describes only what it does',
      'Add a page for settings\n\nIt has a form and a button, and a test for each of them.',
    ],
    ['is a chore', 'chore(deps): bump x\n\nBumps x from 1 to 2 because a new version of it came out today.'],
    ['is work in progress', 'wip\n\nBecause it does not work yet and I have to go home now.'],
    ['reverts without a word', 'Revert "x"\n\nThis reverts commit 0123456789abcdef0123456789abcdef01234567.'],
    [
      'gives its reason only in a quotation',
      'Fix the build\n\n> because it was broken since the last release of it',
    ],
    ['is empty', ''],
  ])('is nothing when it %s', (_, message) => {
    expect(of(message)).toBe(undefined)
  })

  it('is nothing when a bot wrote it', () => {
    const message = 'Fix a leak\n\nIt leaked because the handle was never closed by anybody.'
    expect(of(message, 'dependabot[bot]', '1+dependabot[bot]@users.noreply.github.com')).toBe(undefined)
    expect(of(message)).toMatchObject({ kind: 'error' })
  })

  it('is bounded, whatever the message is', () => {
    const lesson = of(`fix: ${'x'.repeat(5_000)}\n\n${'because it broke and was wrong '.repeat(2_000)}`)
    expect(lesson?.content.length).toBeLessThan(2_000)
    expect(of(`fix: a\n\n${'a '.repeat(50_000)}${'- '.repeat(10_000)}`)).toBe(undefined)
  })
})
