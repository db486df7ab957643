/** Keys that vendors print in their documentation. They open nothing, and a memory about that documentation needs them. */
const DOCUMENTED = [
  // jwt.io
  'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  // docs.stripe.com
  '4eC39HqLyjWDarjtT1zdp7dc',
  'TYooMQauvdEDq54NiTphI7jx',
  'BQokikJOvBiI2HlWgH4olfQ2',
  // The storage and Cosmos DB emulators of Azure
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq',
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw',
]

/** AWS and others put the word into their examples; people write the others in place of a token. */
const EXAMPLE_WORD =
  /EXAMPLE|(?:^|[-_./=:])(?:your|(?:example|sample|dummy|fake|placeholder|redacted|changeme|insert|replace)(?![a-z]))/
/** `ghp_xxxxxxxxxxxx`, `AC` and 32 times `X`, a repeated prefix. */
const FILLER = /[xX]{8,}|0{12,}|\*{3,}|•{3,}|^([a-z]{2,5}[-_])\1/
const REPEATED = /(\w[\w-]{0,3}?)\1{3,}/
/** A long token contains any of these by chance. */
const MAX_FILLED_LENGTH = 100

export function isExample(token: string): boolean {
  if (isDocumented(token)) return true
  if (token.length > MAX_FILLED_LENGTH) return false
  const repeated = REPEATED.exec(token)?.[0].length ?? 0
  return FILLER.test(token) || EXAMPLE_WORD.test(token) || repeated * 2 >= token.length
}

/** For values that only their name makes secret: a password may contain any word. */
export function isDocumented(value: string): boolean {
  return (
    /EXAMPLE(?:KEY)?$|^[xX]{8,}$/.test(value) ||
    (value.length > 20 && DOCUMENTED.some(key => value.includes(key)))
  )
}

/** `sk-learn-contrib-and-other-names`, `rootly_alerts_2024`: every joined part is a word or a number. */
export function isJoinedWords(token: string): boolean {
  const parts = token.split(/[-_./:=+]+/)
  return parts.length > 2 && parts.every(part => /^(?:[A-Za-z]?[a-z]{0,14}|[A-Z]{0,15})\d{0,4}$/.test(part))
}
