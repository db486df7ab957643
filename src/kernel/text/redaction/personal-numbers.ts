import type { Span } from './placeholder.ts'

/**
 * Numbers that identify or charge people. Check digits distinguish them from other numbers: of random digits one in ten passes Luhn and
 * also needs a card's length and first digits, one in 97 passes as an IBAN, one in 100 as a CPF.
 */
export function findPersonalNumbers(text: string): Span[] {
  if (!/\d[\d .()/-]{5,}\d|\d{2}[ ]?[A-Z\d]{4}/.test(text)) return []
  return [...findCards(text), ...findIbans(text), ...findCpfs(text), ...findPhones(text)]
}

/** In one block, or in the groups that are printed on a card. */
const CARD =
  /(?<![\w.+/-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?![\w/=]|[.-]\d)/g
/** First digits and lengths: Visa, Mastercard, American Express, Discover, Diners, JCB, Elo, Hipercard. */
const CARD_NUMBER =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|(?:4011|4312|4389|5041|5066|5067|509\d|6277|6362|6363|650\d|6516|6550)\d{12}|6062\d{12})$/
/** Numbers that payment providers document for tests. */
const TEST_CARDS = new Set(
  (
    '4242424242424242 4000056655665556 4111111111111111 4012888888881881 4222222222222 4000000000000002 4000002500003155 ' +
    '5555555555554444 5105105105105100 5200828282828210 2223003122003222 378282246310005 371449635398431 378734493671000 ' +
    '6011111111111117 6011000990139424 3056930009020004 30569309025904 38520000023237 3566002020360505 3530111333300000'
  ).split(' '),
)

function findCards(text: string): Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(CARD)) {
    const digits = match[0].replace(/\D/g, '')
    if (
      !CARD_NUMBER.test(digits) ||
      TEST_CARDS.has(digits) ||
      /^(\d)\1+$/.test(digits) ||
      !passesLuhn(digits)
    )
      continue
    spans.push({ type: 'card_number', start: match.index, end: match.index + match[0].length })
  }
  return spans
}

/** ISO/IEC 7812: from the right, every second digit doubled, the digits of all summed, divisible by ten. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - place))
    const weighed = place % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g
/** ECBS and the banks print these as examples. */
const EXAMPLE_IBANS = new Set(['GB82WEST12345698765432', 'GB29NWBK60161331926819', 'DE89370400440532013000'])

function findIbans(text: string): Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(IBAN)) {
    // A word in capitals after the number may have matched as its last group: groups are dropped until the number is right.
    for (let found = match[0]; found.length >= 15; found = found.replace(/ ?[A-Z0-9]+$/, '')) {
      if (!isIban(found.replaceAll(' ', ''))) {
        if (!found.includes(' ')) break
        continue
      }
      spans.push({ type: 'iban', start: match.index, end: match.index + found.length })
      break
    }
  }
  return spans
}

/** ISO 13616: the first four characters to the end, letters as 10 to 35, the whole number leaves 1 when divided by 97. */
function isIban(compact: string): boolean {
  if (compact.length < 15 || compact.length > 34 || EXAMPLE_IBANS.has(compact)) return false
  let rest = 0
  for (const char of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(char, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const CPF = /(?<![\d.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\d-])/g
/** Eleven digits alone are also a time or an id, so they need their name. */
const NAMED_CPF = /\bcpf\b[^\n\d]{0,20}(\d{11})(?!\d)/dgi

function findCpfs(text: string): Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(CPF)) {
    if (isCpf(match[0].replace(/\D/g, ''))) {
      spans.push({ type: 'cpf', start: match.index, end: match.index + match[0].length })
    }
  }
  for (const match of text.matchAll(NAMED_CPF)) {
    const place = match.indices?.[1]
    if (place !== undefined && isCpf(match[1] ?? ''))
      spans.push({ type: 'cpf', start: place[0], end: place[1] })
  }
  return spans
}

/** Receita Federal: two check digits, each from the weighed sum of those before it, modulo 11. */
function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false
  return [9, 10].every(count => {
    let sum = 0
    for (let place = 0; place < count; place += 1) sum += Number(digits.charAt(place)) * (count + 1 - place)
    return ((sum * 10) % 11) % 10 === Number(digits.charAt(count))
  })
}

/** `+55 11 91234-5678`: a plus, the country, and groups of digits, 8 to 15 in all (ITU-T E.164). */
const INTERNATIONAL = /(?<![\w+.=/])\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,6}(?![\w]|[.-]\d)/g
/** A line that was added, in a diff of numbers. */
const ADDED_LINE = /^\+\d+$/
/** A number without its country needs its name, or brackets around the area code, which only phone numbers have. */
const NATIONAL =
  /(?<![\w(])\(\d{2,3}\) ?9?\d{3,4}[ -]\d{4}(?!\d)|(?=\(?\d)(?<=\b(?:phone|mobile|cell|whatsapp|telefone|celular|fone|tel[ée]fono|m[óo]vil|telefon|handy|t[ée]l[ée]phone|portable|tel)\b[^\n\d+(]{0,16})\(?\d{2,5}\)?(?:[ .-]?\d{2,5}){1,5}(?![\w]|[.-]\d)/gi
/** NANPA reserves 555-0100 to 555-0199 for fiction. */
const FICTIONAL = /555[ .-]?01\d\d$/

function findPhones(text: string): Span[] {
  const spans: Span[] = []
  for (const pattern of [INTERNATIONAL, NATIONAL]) {
    for (const match of text.matchAll(pattern)) {
      const digits = match[0].replace(/\D/g, '')
      const isAdded = ADDED_LINE.test(match[0]) && /^$|\n/.test(text.charAt(match.index - 1))
      if (
        isAdded ||
        digits.length < 8 ||
        digits.length > 15 ||
        FICTIONAL.test(match[0]) ||
        /^(\d)\1+$/.test(digits)
      )
        continue
      spans.push({ type: 'phone', start: match.index, end: match.index + match[0].length })
    }
  }
  return spans
}
