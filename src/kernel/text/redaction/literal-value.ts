import { isRandomLetters, isWordy } from './randomness.ts'

/**
 * Is this value a secret that a person typed, or a word, a variable, a piece of code, a stand-in? What follows `password=` is far more
 * often one of the latter, and removing those makes a memory useless.
 */

/** Words without digits, and without punctuation other than what joins words. */
export function isWords(value: string): boolean {
  return /^[\p{L}\p{M}][\p{L}\p{M}\s_.'’-]*$/u.test(value)
}

/** Text in place of a secret, which shows that the secret is elsewhere. */
const STAND_IN_SHAPES = [
  // xxx, ****, ......, ----, 0000, ???; also `abc...xyz` and `sk-…`, which a person shortened.
  /^(?:(.)\1{2,}|[*x•.…#?_-]+)$/iu,
  /\.{3}|…/,
  /\*{3,}/,
  // <your-key>, [password], {password}, {{ .Values.x }}, ${VAR}, $(cmd), $VAR, %VAR%, %s, %(name)s, :name, @name, ?
  /^<[\w .:/|-]*>?$|^\[[^\]]*\]?$|^\{[^{}]*\}$|\{\{|\$\{|\$\(|#\{|\{%/,
  /^\\*\${1,2}(?:[A-Za-z_][\w.]*\$?|[{([<].*)$|\$[A-Z_]{3,}|^@\w+@$|^__\w+__$|^\$env:\w+$|^%\w+%$|^%[sdvq@]$|^%\(\w+\)s$|^[:@&*!][A-Za-z_]+$|^x-oauth-basic$/,
  /^(?:enc|vault|env|file|ref|secretref|ssm|arn|op|keyring|sops)[:(]/i,
]

/** Values that people write in examples. `changeme` is one: everyone knows it, so hiding it protects nothing. */
const STAND_IN_WORDS =
  /^(?:your|my|the|some|sua|seu|minha|meu|tu)[-_ ]?\S*(?:password|passwd|pass|secret|token|key|senha|chave|credential|value|here|aqui)|your[-_ ]|[-_](?:here|aqui)$|place[-_ ]?holder|^change[-_ ]?(?:me|it|this)|^troque|^replace|^insert|^dummy$|^sample$|^example$|^exemplo$|^foo(?:bar)?$|^bar$|^baz$|^todo$|^fixme$|^tbd$|^redacted$|^removed$|^hidden$|^masked$|^omitted$/i

/** Words after a colon in prose, schemas and code: types, states, labels, and the keys' own names. */
const VOCABULARY = new Set(
  (
    'password passwd passphrase passcode pass pwd pw secret secrets token tokens key keys apikey senha chave credential credentials contraseña ' +
    'user username login usuario usuário admin name email value values text string str bytes char varchar number int integer float ' +
    'bool boolean object array list dict map any unknown never void null none nil undefined nullptr true false yes no on off ' +
    'required optional mandatory obrigatório obrigatória obrigatorio obrigatoria opcional missing invalid incorrect wrong valid ' +
    'expired expirado expirada inválido inválida invalido invalida incorreta errada vazia vazio empty blank default ' +
    'encrypted hashed hash salted rotated stored saved sent changed reset updated deleted shared generated random unique ' +
    'enabled disabled disable enable prompt ask input hidden secure sensitive plaintext plain encoded decoded file path url ' +
    'basic bearer digest jwt oauth oidc saml sso mfa totp rsa hmac bcrypt scrypt argon utf ascii test testing dev prod staging ' +
    'local localhost see check use used using from with and the not this that must should will can may is are was were be been ' +
    'do da de em para com não nao sim foi ser está esta deve precisa fica self args kwargs options config settings env auto inherit ' +
    'obligatorio obligatoria requerido requerida incorrecto incorrecta olvidada oubliée requis requise obligatoire incorrect expiré erforderlich vergessen falsch leer ungültig ' +
    'forgotten mandatory bcrypt generate generated rotation manager policy field label placeholder type encode decode encrypt decrypt validate verify'
  ).split(' '),
)

/** Technical words with digits in them. */
const TECH_TERM =
  /^(?:(?:hmac-?)?sha-?\d{1,3}|md[45]|[rehp]s\d{3}|aes-?\d{0,3}\w*|base-?(?:16|32|36|58|62|64)\w*|utf-?(?:8|16|32)\w*|oauth-?[12]\w*|argon2(?:id|i|d)?|pbkdf2|bcrypt\d?|x\.?509|ed25519\w*|p-?256|ipv[46]|v\d+(?:\.\d+)*|http\/?[123]|tls1?\.?\d|k8s|s3|ec2|i18n|l10n|\d+(?:\.\d+)?-?(?:ms|s|m|h|d|w|y|min|mins|hrs?|sec|secs|days?|hours?|minutes?|bits?|bytes?|chars?|kb|mb|gb|tb|k|x|px|rem|em|%)(?:\/.*)?|\d+(?:st|nd|rd|th)|q[1-4])$/i

/** Code, if not quoted: calls, members, indexing, paths, URLs, versions, dates. */
const CODE_SHAPES = [
  // getToken(), tokens[1], Optional<String>
  /^[A-Za-z_$][\w$.:?>-]*[([<]/,
  /^[([{|>&)\]}]/,
  /^(?:[\w+.-]+:\/\/|\/[\w.-]+\/|\.{1,2}\/|~\/|[A-Za-z]:\\)/,
  /^\d+(?:[.\-/:]\d+)+$/,
  // A regular expression
  /^\/[\^([\\]|^\/.*\/[dgimsuvy]{0,4}[;,)]?$/,
]

/** process.env.X, self.password, config->token, Foo::BAR, var.db_password */
const MEMBERS = /^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|->|::)[A-Za-z_$][\w$]*)+;?$/

export function isStandIn(value: string): boolean {
  // `[Xk9#vTz]`: a value may also be in brackets.
  const held = /^(?:<.+>|\[.+\]|\(.+\)|\{.+\})$/.test(value) ? value.slice(1, -1) : undefined
  if (held !== undefined && isUnmistakable(held)) return false
  if (STAND_IN_SHAPES.some(shape => shape.test(value))) return true
  const trimmed = value.replace(/[!\d]{0,3}$/, '')
  if (isWords(trimmed) && STAND_IN_WORDS.test(trimmed)) return true
  // One added digit does not make `password1` a password worth hiding; `password123` is one.
  return /^(?:password|passwd|pass|pwd|secret|token|senha|user|username)\d?$/i.test(value)
}

/** An identifier of a program: `userPassword`, `SecretStr`, `encoded_pw`, `MAX_SIZE`. */
export function isIdentifier(value: string): boolean {
  if (/^[A-Za-z]+(?:_[A-Za-z0-9]+)+$/.test(value)) return !value.split('_').some(isRandomLetters)
  return /^\p{L}\p{Ll}+(?:\p{Lu}\p{Ll}+)+$/u.test(value) && isWordy(value)
}

export function isCode(value: string): boolean {
  if (MEMBERS.test(value)) return !value.split(/\W+/).some(isUnmistakable)
  return CODE_SHAPES.some(shape => shape.test(value))
}

export function isVocabulary(value: string): boolean {
  const word = value.toLowerCase().replace(/[.!?,;:]+$/, '')
  return VOCABULARY.has(word) || VOCABULARY.has(word.replace(/\d$/, '')) || TECH_TERM.test(word)
}

/** Machine-made: letters and digits that do not read as a name with a number. */
export function isMachineMade(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || isVocabulary(value)) return false
  if (
    /^\p{L}\p{Ll}+(?:\p{Lu}\p{Ll}+|\d{1,4})+$/u.test(value) &&
    /\p{Ll}\p{Lu}\p{Ll}/u.test(value) &&
    isWordy(value)
  )
    return false
  if (value.length >= 12 && /^[A-Za-z0-9+/=]+$/.test(value))
    return !/^[a-z]+\d{1,3}$|^(?:[A-Z][a-z]+)+\d{1,3}$/.test(value)
  return value.length >= 8 && /\d[^\d]+\d/.test(value) && !isWordy(value)
}

/** Right after `password`, without a verb between: not a step, page or form with a number. */
export function isLikelyPassword(value: string): boolean {
  if (value.length < 6 || !isPasswordLike(value) || isIdentifier(value) || isTechnicalName(value))
    return false
  if (!/\d/.test(value) || /^\p{Lu}?\p{Ll}+[-_]?\d{1,2}$/u.test(value) || /[()[\]{}<>/\\]/.test(value))
    return false
  return (
    /[!@#$%^&*?]/.test(value) ||
    (/\p{Ll}/u.test(value) && /\p{Lu}/u.test(value)) ||
    /^[a-z]+\d{3,}$/.test(value)
  )
}

/** Chosen by a person as a password: letters with digits, or with punctuation that words do not have. */
export function isPasswordLike(value: string): boolean {
  if (value.length < 4 || isVocabulary(value)) return false
  const core = value.replace(/[!?]+$/, '')
  const letters = /\p{L}/u.test(core)
  const digits = /\d/.test(core)
  const marks = /[!@#$%^&*+=?~|]/.test(core)
  if (letters && digits) return !isTechnicalName(core)
  return (letters || digits) && marks && core.length >= 6
}

/** `SHA256-hashed`, `oauth2.0`, `Base64-encoded`: every joined part is a word or a technical term. */
function isTechnicalName(value: string): boolean {
  const parts = value.split(/[-_./]/)
  return (
    parts.some(part => TECH_TERM.test(part)) &&
    parts.every(part => isWords(part) || TECH_TERM.test(part) || /^\d{0,2}$/.test(part))
  )
}

/** A word that does not occur in messages to people: punctuation between its letters, or digits among them. */
export function isSecretAmongWords(word: string): boolean {
  return (
    /\p{L}[!@#$%^&*]+[\p{L}\d]|\d[!@#$%^&*]+\p{L}/u.test(word) ||
    (isPasswordLike(word) && isUnmistakable(word))
  )
}

/** So mixed that it is a password even without a label between it and the word `password`. */
export function isUnmistakable(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || isTechnicalName(value) || isVocabulary(value))
    return false
  if (value.length >= 6 && /[!@#$%^&*?+]/.test(value.slice(0, -1))) return true
  return value.length >= 8 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !isWordy(value)
}

/** Words of sentences that pass phrases do not contain. */
const SENTENCE_WORDS = new Set(
  (
    'a an the is are was were be been must should shall will would can could may might do does did not no your my our their his her its you we they i it this that these those ' +
    'for to of in on at by from with without and or but if when then than as so please enter here there has have had only also same new old ' +
    'o os um uma e ou de da do das dos que se não para por com sem é foi ser sua seu minha meu nossa el los las un una y en del al es fue su mi la lo con ' +
    'der die das den dem ein eine und oder ist war nicht mit ohne für von zu im dein mein bitte le les des du et ou est pas votre mon pour avec sans dans sur'
  ).split(' '),
)

/** `correct horse battery staple`: three words or more that are not a sentence. */
export function isPassPhrase(value: string): boolean {
  const words = value.split(' ')
  return (
    words.length >= 3 &&
    words.length <= 12 &&
    words.every(word => /^[\p{Ll}\d]{2,15}$/u.test(word) && !SENTENCE_WORDS.has(word) && !isVocabulary(word))
  )
}
