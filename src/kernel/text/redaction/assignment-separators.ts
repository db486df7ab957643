/** How a value can follow the name of a secret. */
export type Form =
  /** `key = value`, `key: value`, `<key>value</key>`, `name: KEY, value: x`, `| key | value |` */
  | 'assignment'
  /** `key:` and the value on the next line */
  | 'block'
  /** `setKey("value")`, `define('KEY', 'value')` */
  | 'call'
  /** `the key is value`, `a senha do banco é value` */
  | 'prose'
  /** `changed the key to value` */
  | 'moved'
  /** `--key value` */
  | 'flag'
  /** `key value` */
  | 'adjacent'

const OF =
  'for|of|to|on|in|at|from|do|da|de|dos|das|no|na|pro|pra|para|del|nova|novo|atual|antiga|temporária|provisória|padrão|agora|now|aqui|here|du|des|pour|sur|le|la|el|die|der|das|für|von|vom|zum|zur|im|am|beim|temporal|nueva|provisional|actuelle|temporaire'
const IS =
  "is|was|(?:will|shall|should|must|has[ \\t]+to)[ \\t]+be|becomes|became|remains|stays|reads|equals|it's|" +
  'é|era|eh|foi|será|vai[ \\t]+ser|va[ \\t]+a[ \\t]+ser|fica|ficou|virou|deve[ \\t]+ser|pass(?:a|ou)[ \\t]+a[ \\t]+ser|continua(?:[ \\t]+sendo)?|' +
  'es|fue|queda|quedó|debe[ \\t]+ser|pas[aó][ \\t]+a[ \\t]+ser|sigue[ \\t]+siendo|' +
  "ist|war|lautet|lautete|heißt|bleibt|wird|wäre|est|c['’]est|était|sera|devient|reste|vaut|doit[ \\t]+être"
const NOW =
  'now|still|just|currently|as|como|comme|agora|ainda|ahora|jetzt|nun|maintenant|désormais|(?:set|changed|reset|updated|rotated)[ \\t]+to'
const KIND =
  'default|temporary|temp|new|current|old|initial|admin|root|padrão|provisória|temporária|nova|atual|inicial|nueva|actual|temporal|neue|provisoire|actuel'
const TO = 'to|para|pra|por|a(?![ \\t]été)|auf|zu|en|pour|par|with'
const WS = '[ \\t]'
const QUOTE = `\\\\{0,3}["'\`]`
/** Markup of Markdown and HTML around a name: `**Password:** x`, `<b>Senha</b>: x`. */
const MARK = '(?:\\*{1,3}|_{1,2}|~~|</?[a-z]{1,6}>)?'

/**
 * The separator of each form, tried in this order right after the name. A `clause` is read like `adjacent`, after a name with only one
 * meaning; the text after it and after `moved` may be a word of the sentence, so the next forms are tried then.
 */
export const SEPARATORS: readonly (readonly [Form | 'clause', RegExp])[] = [
  // Container specs and Terraform: the name is itself a value, and the next field holds the secret.
  [
    'assignment',
    new RegExp(`(?:${QUOTE})?\\s{0,40},?\\s{0,40}(?:${QUOTE})?value(?:${QUOTE})?${WS}*[:=]${WS}*`, 'iy'),
  ],
  ['assignment', new RegExp(`"${WS}*\\{[^}]{0,200}?default${WS}*=${WS}*(?=")`, 'y')],
  // password: str = "x"
  ['assignment', new RegExp(`${WS}*:${WS}*&?[A-Za-z_][\\w<>\\[\\]., |]{0,30}?${WS}*=${WS}*(?=["'])`, 'y')],
  // A YAML block, or a value below its name.
  [
    'block',
    new RegExp(
      `(?:${QUOTE})?${MARK}${WS}{0,8}[:=]${MARK}${WS}{0,8}(?:[|>][+-]?)?${WS}{0,8}\\r?\\n[ \\t]{0,40}(?:- )?`,
      'iy',
    ),
  ],
  [
    'assignment',
    new RegExp(
      `(?:${QUOTE})?\\]?${MARK}(?:${QUOTE})?${WS}*(?:=>|:=|:-|\\?=|={1,3}|:)(?!:)${MARK}${WS}*(?:[bru](?=["']))?`,
      'iy',
    ),
  ],
  // process.env.DB_PASSWORD || 'x'; gh secret set API_KEY --body x
  ['call', new RegExp(`${WS}*(?:\\|\\||\\?\\?|\\bor\\b)${WS}*(?=["'])`, 'y')],
  ['assignment', new RegExp(`${WS}+(?:--body|--value|--secret-string)(?:=|${WS})${WS}*`, 'y')],
  // <input type="password" name="pw" value="x">
  ['assignment', /["'][^<>\n]{0,80}?\svalue=(?=["'])/iy],
  // A constant of a C library: CURLOPT_PASSWORD, "x"
  ['call', new RegExp(`(?<=[A-Z])${WS}*,${WS}*(?=")`, 'y')],
  // "--password" above "x" in a list of arguments
  ['flag', new RegExp(`(?:${QUOTE})?(?:${WS}*,)?\\s*\\n\\s{0,40}(?:-${WS}+)?(?=["'])`, 'iy')],
  // <td>Password</td><td>x</td>
  [
    'assignment',
    new RegExp(
      `${WS}*:?${WS}*(?:</\\w{1,8}>\\s{0,20}){1,3}(?:<\\w{1,8}(?:\\s[^<>]{0,60})?>\\s{0,20}){1,3}`,
      'iy',
    ),
  ],
  // A cell and the next one.
  ['assignment', new RegExp(`(?:${QUOTE})?${MARK}${WS}*\\|${WS}*(?!\\|)`, 'iy')],
  // <password>x</password>, <Pass encoding="plain">x</Pass>
  ['assignment', /(?=["']?(?:\s[\w:-]{1,40}=["'][^"'<>]{0,80}["']){0,3}>[^\s<>]{1,200}<\/)["']?[^<>]*>/y],
  ['call', new RegExp(`(?:${QUOTE}${WS}*,|\\()${WS}*(?=["'])`, 'y')],
  [
    'prose',
    new RegExp(
      `(?:${QUOTE})?(?:${WS}+(?:api|d['’]\\p{L}{2,12}))?(?:${WS}+\\([^()\\n]{1,40}\\))?(?:${WS}+(?:${OF})(?:${WS}+[\\p{L}\\p{N}_'/.-]{1,30}){0,5}?)?` +
        `(?:,?${WS}+(?:${IS})(?:${WS}+(?:${NOW}))?:?${WS}+|${WS}*[:=]${WS}+|${WS}+(?:->|→|=>)${WS}+)`,
      'iuy',
    ),
  ],
  [
    'moved',
    new RegExp(
      `(?:${QUOTE})?(?:${WS}+[\\p{L}\\p{N}_'/.-]{1,30}){0,6}?${WS}+(?:${TO})(?:${WS}+be)?:?${WS}+`,
      'iuy',
    ),
  ],
  // `the password they gave me was x`
  [
    'clause',
    new RegExp(
      `(?:${QUOTE})?(?:${WS}+[\\p{L}\\p{N}_'/.-]{1,30}){1,6}?(?:${WS}+(?:${IS})(?:${WS}+(?:${NOW}))?:?|${WS}?:)${WS}+`,
      'iuy',
    ),
  ],
  // `a senha? R: x` and `a senha - x` are as good as `a senha x`
  ['adjacent', new RegExp(`\\??${WS}+(?:[-–—]${WS}+)?(?:[RA]:${WS}*)?(?:(?:${KIND})${WS}+)?[([<]?`, 'iy')],
]

/** They read prose, so they do not apply to an option of a command. */
export const SENTENCE_FORMS: ReadonlySet<string> = new Set(['prose', 'moved', 'clause'])
