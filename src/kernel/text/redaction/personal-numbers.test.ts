import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('personal numbers', () => {
  it.each([
    ['card 4539 5787 6362 1486 please', 'card [redacted:card_number] please'],
    ['card 4539578763621486.', 'card [redacted:card_number].'],
    ['5425-2334-3010-9903', '[redacted:card_number]'],
    ['3714 496353 98456 is a card', '[redacted:card_number] is a card'],
    ['to BR15 0000 0000 0000 1093 2840 814P 2 today', 'to [redacted:iban] today'],
    ['PT50000201231234567890154', '[redacted:iban]'],
    ['DE75512108001245126199 NEXT', '[redacted:iban] NEXT'],
    ['CPF 529.982.247-25', 'CPF [redacted:cpf]'],
    ['cpf: 52998224725', 'cpf: [redacted:cpf]'],
    ['call +55 11 91234-5678 now', 'call [redacted:phone] now'],
    ['call +351912345678', 'call [redacted:phone]'],
    ['(11) 91234-5678', '[redacted:phone]'],
    ['telefone: 11 91234 5678', 'telefone: [redacted:phone]'],
    ['mobile 0171 2345678', 'mobile [redacted:phone]'],
  ])('removes %s', (text, expected) => {
    expect(redact(text).text).toBe(expected)
  })

  it.each([
    '4242 4242 4242 4242 is a test card',
    '4539 5787 6362 1487 has a wrong check digit',
    'at 1773679871839 ms, id 175928847299117063',
    'GB82 WEST 1234 5698 7654 32 is the example',
    'DE75512108001245126198',
    '529.982.247-26 and 111.111.111-11',
    'order 52998224725',
    '+1 212 555 0123',
    '+1773679871839 was added',
    'version 1.2.3+20260316165100, port (8080), 2026-03-16 16:51:00',
    'UTC+0100, +12345, 1+23456789',
    'tel. 12 or mobile 2026',
  ])('keeps %s', text => {
    expect(redact(text)).toEqual({ text, redacted: [] })
  })

  it('keeps them when they are switched off', () => {
    const text = 'card 4539578763621486, cpf 529.982.247-25, +55 11 91234-5678'
    expect(redact(text, { personalNumbers: false }).text).toBe(text)
  })
})
