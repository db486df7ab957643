import type { RedactionType } from './placeholder.ts'

/**
 * How likely the value after a name is a secret. After a `password`, anything that is not clearly something else is a secret; a `token`
 * or an `api_key` also names parsers' tokens and schemas' fields, so its value must look machine-made. A bare `key` names anything: only
 * what is too long for the ids of records counts. A `PIN` has four to eight digits.
 */
export interface SecretKey {
  readonly strength: 'strong' | 'weak' | 'bare' | 'pin'
  readonly type: RedactionType
}

const PASSWORD_WORDS = new Set(
  (
    'password passwd passwort passphrase passcode pwd psw senha contraseña contrasena requirepass pgpassword passwords ' +
    'passwörter senhas contraseñas kennwort motdepasse mdp pw pasw pswd psswd pswrd paswd pasword passwrd passwod passwor passord pwrd'
  ).split(' '),
)
const FIRST_PASSWORD_WORDS = new Set(['senha', 'contraseña', 'contrasena', 'mdp'])
const SECRET_WORDS = new Set(['secret', 'secrets', 'segredo', 'secreto', 'geheimnis'])
const WEAK_WORDS = new Map<string, RedactionType>([
  ['token', 'token'],
  ['authtoken', 'token'],
  ['accesstoken', 'token'],
  ['pat', 'token'],
  ['jwt', 'token'],
  ['bearer', 'authorization'],
  ['auth', 'authorization'],
  ['authorization', 'authorization'],
  ['apikey', 'api_key'],
  ['appkey', 'api_key'],
  ['accesskey', 'api_key'],
  ['secretkey', 'secret'],
  ['masterkey', 'secret'],
  ['chave', 'api_key'],
  ['clé', 'api_key'],
  ['schlüssel', 'api_key'],
  ['zugangsschlüssel', 'api_key'],
  ['jeton', 'token'],
  ['tokens', 'token'],
  ['pats', 'token'],
  ['access', 'token'],
  ['cred', 'secret'],
  ['creds', 'secret'],
  ['credential', 'secret'],
  ['credentials', 'secret'],
  ['credencial', 'secret'],
  ['credenciais', 'secret'],
  ['passw', 'password'],
  ['salt', 'secret'],
])
/** A `pass` is also a test's result and a compiler's; `SMTP_PASS` and `db_pass` are passwords. */
const PASS_QUALIFIERS = new Set(
  (
    'db database smtp imap mail email user admin root ftp sftp ssh http proxy redis mysql pg postgres mongo rabbit rabbitmq mq ldap wifi vpn ' +
    'login auth basic account client service app my sa keystore truststore store backup bot api'
  ).split(' '),
)
/** Words that make a `key` one that opens something. `public`, `primary`, `cache`, `sort` and the like do not. */
const KEY_QUALIFIERS = new Set(
  (
    'api access secret private auth authentication encryption encrypt decryption signing sign signature master account storage admin client app ' +
    'application service license subscription deploy ssh session cipher aes hmac jwt webhook server crypto root vault consumer ' +
    'integration write ingest license instrumentation shared host function'
  ).split(' '),
)
const HARMLESS_KEYS = new Set(
  'public pub primary foreign partition sort cache row object map dict lookup index unique routing idempotency group i18n translation'.split(
    ' ',
  ),
)
/** Public tokens: cursors of a listing, words of a grammar. */
const HARMLESS_TOKENS = new Set(
  'page next previous prev continuation continue cursor sync pagination csrf xsrf bos eos pad unk cls sep mask start end stop special design'.split(
    ' ',
  ),
)
/** Suffixes that do not change the meaning: `DB_PASSWORD_PROD`, `SECRET_KEY_BASE`, `token_2`. */
const SUFFIX =
  /^(?:\d+|prod|production|prd|dev|development|staging|stg|stage|test|qa|uat|hml|homolog|homologacao|local|base|old|new|backup|value|val|text|plain|plaintext|raw|main|default|str|live|sandbox)$/

const PASSWORD: SecretKey = { strength: 'strong', type: 'password' }

const WORD = /\p{Lu}?[\p{Ll}]+|\p{Lu}+(?!\p{Ll})|\d+/gu

/**
 * The class of `spring.datasource.password`, `CERT_A1_SENHA` or `clientSecret`; undefined if it names something else (`max_tokens`,
 * `password_hash`, `tokenizer`).
 */
export function classifyKey(name: string, wordBefore: string): SecretKey | undefined {
  const words = (name.match(WORD) ?? []).map(word => word.toLowerCase())
  while (words.length > 1 && SUFFIX.test(words.at(-1) ?? '')) words.pop()
  const last = words.at(-1)
  if (last === undefined) return undefined
  const before = words.length > 1 ? words.slice(0, -1) : [wordBefore.toLowerCase()]

  if (PASSWORD_WORDS.has(last) || /pass(?:word|wd|wort)$|pwd$/.test(last)) return PASSWORD
  if (SECRET_WORDS.has(last) || last.endsWith('secret')) return { strength: 'strong', type: 'secret' }
  if (last === 'pass') return classifyPass(name, before)
  // mot de passe; una clave, but not a `palabra clave`
  if ((last === 'passe' && before.at(-1) === 'de') || (last === 'clave' && before.at(-1) !== 'palabra'))
    return PASSWORD
  // SENHA_BANCO, mdpSmtp: the language puts the word first.
  if (words.length > 1 && FIRST_PASSWORD_WORDS.has(words[0] ?? '')) return PASSWORD
  if (last === 'id' && before.at(-1) === 'secret') return { strength: 'weak', type: 'secret' }
  if (last === 'pin') return { strength: 'pin', type: 'password' }
  if (last === 'key') return classifyBareKey(name, before)
  // privatekey, dbpass
  const stem = /^(.+)(key|pass)$/.exec(last)
  if (stem?.[2] === 'key') return classifyBareKey(name, [stem[1]?.endsWith('api') ? 'api' : (stem[1] ?? '')])
  if (stem?.[2] === 'pass' && PASS_QUALIFIERS.has(stem[1] ?? '')) return PASSWORD
  const type = WEAK_WORDS.get(last) ?? (last.endsWith('token') ? 'token' : undefined)
  if (type === undefined) return undefined
  if (type === 'token' && before.some(word => HARMLESS_TOKENS.has(word))) return undefined
  return { strength: 'weak', type }
}

function classifyPass(name: string, before: readonly string[]): SecretKey | undefined {
  if (before.some(word => PASS_QUALIFIERS.has(word)) || (isEnvironmentStyle(name) && name.includes('_')))
    return PASSWORD
  return { strength: 'weak', type: 'password' }
}

function classifyBareKey(name: string, before: readonly string[]): SecretKey | undefined {
  if (before.some(word => HARMLESS_KEYS.has(word))) return undefined
  if (before.includes('secret') && (before.includes('aws') || before.includes('access'))) {
    return { strength: 'strong', type: 'aws_secret_key' }
  }
  if (before.includes('secret') || before.includes('private')) return { strength: 'strong', type: 'secret' }
  if (before.some(word => KEY_QUALIFIERS.has(word))) return { strength: 'weak', type: 'api_key' }
  // OPENAI_KEY, MAPS_KEY: the vendors are too many to list, so the style of an environment variable is the hint.
  return { strength: isEnvironmentStyle(name) && name.includes('_') ? 'weak' : 'bare', type: 'api_key' }
}

export function isEnvironmentStyle(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name)
}
