import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { essentialPart } from './essential-part.ts'
import { estimateTokens } from './token-estimate.ts'

const LOG = Array.from(
  { length: 400 },
  (_, n) =>
    `2026-03-16T10:00:${String(n % 60).padStart(2, '0')}.123Z [worker-${n % 4}] INFO served GET /health in ${n} ms`,
).join('\n')

test('leaves a short prompt as it is', () => {
  expect(essentialPart('  why do we cap retries at 5?\n')).toBe('why do we cap retries at 5?')
  expect(essentialPart('')).toBe('')
})

test('finds the question and the error in a JavaScript trace between logs', () => {
  const prompt = `Checkout hangs since yesterday, only for German customers.
${LOG}
2026-03-16T10:07:00.001Z [worker-1] ERROR TimeoutError: no answer from payments for 3f2c9a1e-77de-4a01-9b3c-1f2e3d4c5b6a
    at Timeout._onTimeout (/app/node_modules/got/dist/source/core/timed-out.js:59:5)
    at listOnTimeout (node:internal/timers:569:17)
    at async chargeCard (/app/src/checkout/charge.ts:42:7)
    at async CheckoutService.submit (file:///app/src/checkout/checkout-service.ts:88:3)
${LOG}
What could block the payment call?`
  expect(essentialPart(prompt)).toBe(`Checkout hangs since yesterday, only for German customers.
What could block the payment call?
TimeoutError: no answer from payments for
chargeCard checkout/charge.ts
CheckoutService.submit checkout/checkout-service.ts`)
})

test('finds the cause of a Python trace', () => {
  const prompt = `${'INFO:root:row imported\n'.repeat(100)}Traceback (most recent call last):
  File "/srv/app/jobs/import_orders.py", line 31, in run_import
    rows = parse_rows(handle)
  File "/usr/lib/python3.11/csv.py", line 111, in __next__
    row = next(self.reader)
UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe7 in position 12: invalid continuation byte`
  expect(
    essentialPart(prompt),
  ).toBe(`UnicodeDecodeError: 'utf-8' codec can't decode byte in position 12: invalid continuation byte
run_import jobs/import_orders.py
parse_rows`)
})

test('finds the panic of a Rust trace', () => {
  const prompt = `the indexer dies on startup

thread 'main' panicked at 'called \`Option::unwrap()\` on a \`None\` value', src/index/segment.rs:214:37
stack backtrace:
   0: rust_begin_unwind
             at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/std/src/panicking.rs:645:5
   1: core::panicking::panic_fmt
             at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/core/src/panicking.rs:72:14
   2: cairn::index::segment::Segment::open
             at ./src/index/segment.rs:214:37
   3: cairn::main
             at ./src/main.rs:19:5
note: run with \`RUST_BACKTRACE=full\` for a verbose backtrace.`
  const telling = essentialPart(prompt)
  expect(telling).toContain('the indexer dies on startup')
  expect(telling).toContain("panicked at 'called")
  expect(telling).toContain('cairn::index::segment::Segment::open')
  expect(telling).not.toContain('rustc')
})

test('finds the cause of a Kotlin trace', () => {
  const prompt = `App crashes when I rotate the phone
java.lang.IllegalStateException: Fragment NoteFragment not attached to a context.
	at androidx.fragment.app.Fragment.requireContext(Fragment.java:967)
	at dev.acme.notes.NoteFragment.showNote(NoteFragment.kt:54)
	at dev.acme.notes.NoteFragment$onViewCreated$1.invokeSuspend(NoteFragment.kt:31)
	at kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)
Caused by: kotlinx.coroutines.JobCancellationException: Job was cancelled`
  expect(essentialPart(prompt)).toBe(`App crashes when I rotate the phone
java.lang.IllegalStateException: Fragment NoteFragment not attached to a context.
Caused by: kotlinx.coroutines.JobCancellationException: Job was cancelled
NoteFragment.showNote NoteFragment.kt
NoteFragment.invokeSuspend NoteFragment.kt`)
})

test('names the files of a diff', () => {
  const prompt = `Please review this change
diff --git a/src/auth/session.ts b/src/auth/session.ts
--- a/src/auth/session.ts
+++ b/src/auth/session.ts
@@ -1,4 +1,4 @@ export function refreshSession
${'-const maxAge = 60\n+const sessionMaxAge = 3600\n'.repeat(60)}`
  expect(essentialPart(prompt)).toBe(
    'Please review this change\nauth/session.ts\nrefreshSession\nmaxAge\nsessionMaxAge',
  )
})

describe('in other languages', () => {
  it('finds the question of a Portuguese prompt', () => {
    const prompt = `Bom dia! Estou vendo este erro desde ontem à noite.\n${LOG}\nErro: conexão recusada pelo banco de pedidos\nComo faço para aumentar o tempo limite da conexão?`
    expect(essentialPart(prompt)).toBe(`Bom dia! Estou vendo este erro desde ontem à noite.
Como faço para aumentar o tempo limite da conexão?
Erro: conexão recusada pelo banco de pedidos`)
  })

  it('finds the question of a Chinese prompt', () => {
    const prompt = `结账页面从昨天开始一直卡住。\n${LOG}\n为什么支付接口会超时？`
    expect(essentialPart(prompt)).toBe('结账页面从昨天开始一直卡住。\n为什么支付接口会超时？')
  })
})

test('takes the ends of a megabyte', () => {
  const prompt = `The import is slow.\n${`${LOG}\n`.repeat(40)}Why does importOrders take an hour?`
  expect(prompt.length).toBeGreaterThan(1_000_000)
  expect(essentialPart(prompt)).toBe('The import is slow.\nWhy does importOrders take an hour?')
})

test('never has more tokens than asked for, and is well formed', () => {
  const prompt = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'why? ',
          '\n',
          'Error: x',
          ' at f (a.ts:1:2)\n',
          '\ud83d',
          '字',
          '\x1b[31m',
          '{',
          'word ',
          'a'.repeat(400),
          '?',
          '```\n',
        ),
        fc.string({ unit: 'binary', maxLength: 20 }),
      ),
      { maxLength: 120 },
    )
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(prompt, fc.integer({ min: 8, max: 80 }), (text, most) => {
      const telling = essentialPart(text, most)
      expect(estimateTokens(telling)).toBeLessThanOrEqual(most)
      expect(telling).toBe(
        new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(telling)),
      )
    }),
    { numRuns: 500 },
  )
})

test('is quick on a megabyte of anything', () => {
  for (const unit of [
    'a',
    ' ',
    '\n',
    'a/',
    'aA',
    'a_',
    '?',
    '[',
    '(',
    '\x1b',
    '`',
    'at ',
    '- ',
    '0',
    'a.',
    '字',
    'Error ',
    ':',
  ]) {
    essentialPart(unit.repeat(1_000_000 / unit.length))
    essentialPart(`${unit.repeat(290 / unit.length)}\n`.repeat(3_000))
  }
})
