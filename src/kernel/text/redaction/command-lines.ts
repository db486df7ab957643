import {
  isCode,
  isIdentifier,
  isLikelyPassword,
  isMachineMade,
  isPasswordLike,
  isStandIn,
  isUnmistakable,
  isVocabulary,
} from './literal-value.ts'
import type { RedactionType, Span } from './placeholder.ts'
import { isRandomLetters } from './randomness.ts'
import { isDocumented } from './stand-in.ts'

/** Secrets that are recognised by the command or the header around them. The group that matched is the secret. */
interface PlaceRule {
  readonly type: RedactionType
  /** The rule cannot match a text without any of these, in lower case. Prose seldom has them, and a plain search is fast. */
  readonly hints: readonly string[]
  readonly pattern: RegExp
  readonly accept: (secret: string) => boolean
}

const isDelivered = (secret: string) => !isStandIn(secret) && !isDocumented(secret) && !isCode(secret)
/** Between a program and its option: the same command, at a bounded distance so that hostile text stays linear. */
const ARGS = String.raw`\b(?:[^\n|;&]|\\\n){0,200}?\s`
const VALUE = String.raw`(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"'${'`'}\\]{1,400}))`

const PLACE_RULES: readonly PlaceRule[] = [
  // RFC 7235 header, in any quoting: `-H "Authorization: Bearer x"`, `"Authorization": "Basic x"`.
  {
    type: 'authorization',
    hints: ['authorization'],
    pattern:
      /\bauthorization\\{0,3}["'`]?\s{0,3}[:=,]\s{0,3}\\{0,3}["'`]?(?:(?:bearer|basic|token|digest|apikey|negotiate|key|bot|splunk|aws4-hmac-sha256)\s{1,3})?([\w.~+/=:@!$%-]{6,})/dgi,
    accept: secret => isDelivered(secret) && (isPasswordLike(secret) || isCredential(secret)),
  },
  {
    type: 'authorization',
    hints: ['bearer'],
    pattern: /\bbearer[ \t]{1,3}([\w.~+/=-]{12,})/dgi,
    accept: secret => !isDocumented(secret) && isCredential(secret),
  },
  {
    type: 'authorization',
    hints: ['basic'],
    pattern: /\bbasic[ \t]{1,3}([A-Za-z0-9+/]{8,}={0,2})/dgi,
    accept: isUserAndPassword,
  },
  // A session's cookie is as good as a login; it is unknown which of its pairs is the session, so all of them are removed.
  {
    type: 'authorization',
    hints: ['cookie'],
    pattern: /\bcookie\\{0,3}["'`]?\s{0,3}:\s{0,3}\\{0,3}["'`]?([^\n"'`\\]{8,2000})/dgi,
    accept: secret => secret.split(/[\s;=]+/).some(part => part.length >= 16 && isMachineMade(part)),
  },
  // curl -u user:password. Docker's `-u 1000:1000` is another option of another program.
  {
    type: 'password',
    hints: [' -u', ' --user', ' --proxy-user', ' -a', ' --auth'],
    pattern: new RegExp(
      String.raw`\b(?:curl|wget|https?|xh)${ARGS}(?:-u|--user|--proxy-user|-a|--auth)[ =]?["']?[^\s:"']{1,80}:([^\s"']{1,200})`,
      'dgi',
    ),
    accept: isDelivered,
  },
  // mysql -pSECRET: without a space, or it would be the database's name.
  {
    type: 'password',
    hints: ['mysql', 'mariadb', '7z'],
    pattern: new RegExp(
      String.raw`\b(?:mysql(?:dump|admin|import)?|mariadb(?:-dump)?|7z)${ARGS}-p${VALUE}`,
      'dgi',
    ),
    accept: secret => isDelivered(secret) && !/^(?:assword|ort)\b/.test(secret),
  },
  {
    type: 'password',
    hints: [' -p', ' -w', ' -a'],
    pattern: new RegExp(
      String.raw`\b(?:(?:mongo(?:sh|dump|restore|export|import)?|sshpass|cqlsh|ldapsearch|(?:docker|podman|helm|oc|az|cf|nerdctl|buildah|skopeo)(?: registry)? login)${ARGS}(?:-p|-w)|(?:mosquitto_(?:pub|sub)|zip|unzip|sqlcmd|bcp)${ARGS}-P|redis-cli${ARGS}-a)\s{0,2}${VALUE}`,
      'dgi',
    ),
    accept: secret => isDelivered(secret) && !secret.startsWith('-') && !/^\d{1,5}$/.test(secret),
  },
  {
    type: 'password',
    hints: ['htpasswd'],
    pattern: /\bhtpasswd\s{1,3}-\w{0,6}b\w{0,6}\s{1,3}\S{1,100}\s{1,3}\S{1,60}\s{1,3}([^\s"']{1,100})/dgi,
    accept: isDelivered,
  },
  // SQL: CREATE USER … IDENTIFIED BY 'x', ALTER ROLE … WITH PASSWORD 'x'.
  {
    type: 'password',
    hints: ['identified', 'with password', 'encrypted password'],
    pattern:
      /\b(?:identified\s{1,3}(?:with\s{1,3}\w{1,40}\s{1,3})?by|(?:with|encrypted)\s{1,3}password)\s{1,3}(?:password\s{1,3})?['"]([^'"\n]{1,200})['"]/dgi,
    accept: isDelivered,
  },
  // .pgpass: host:port:database:user:password
  {
    type: 'password',
    hints: [':'],
    pattern:
      /(?<=^|\n)[ \t]{0,8}[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w*-]{1,64}:[\w.*@-]{1,64}:([^\s:]{1,200})(?=\s|$)/dg,
    accept: secret => isDelivered(secret) && !isVocabulary(secret) && /\D/.test(secret),
  },
  // bob:Tr0ub4dor&3 and, after words that announce a login, admin:letmein9
  {
    type: 'password',
    hints: [':'],
    pattern: /(?<=^|[\s"'`(=>])[A-Za-z][\w.-]{1,31}:([^\s"'`:/@<>(){}[\],;]{6,64})(?=[\s"'`),;]|\.?$)/dg,
    accept: secret =>
      isDelivered(secret) &&
      /[A-Za-z]/.test(secret) &&
      /\d/.test(secret) &&
      /[!@#$%^&*?][\w!@#$%^&*?]*$/.test(secret),
  },
  {
    type: 'password',
    hints: ['admin:', 'root:', 'user:', 'postgres:', 'guest:', 'test:', 'sa:', 'bob:', 'alice:'],
    pattern:
      /(?<=^|[\s"'`(=])(?:admin|administrator|root|user|postgres|guest|test|sa|bob|alice):([^\s"'`:/@<>(){}[\],;]{6,64})(?=[\s"'`),;]|\.?$)/dgi,
    accept: secret => isDelivered(secret) && isPasswordLike(secret) && !/[._-]/.test(secret),
  },
  // Facebook: the id of an app, a bar, its secret. Braintree: access_token$production$…
  {
    type: 'service_token',
    hints: ['|', '%7c', 'access_token$'],
    pattern:
      /(?<![\w|])(\d{15,16}(?:\||%7[cC])[\w-]{27,40})(?![\w-])|(access_token\$\w{1,12}\$[a-z0-9]{16}\$[0-9a-f]{32})/dg,
    accept: isDelivered,
  },
  // .netrc
  {
    type: 'password',
    hints: ['password'],
    pattern:
      /\b(?:machine\s{1,4}\S{1,100}|default)\s{1,4}login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}([^\s"']{1,200})/dgi,
    accept: secret => isDelivered(secret) && !isVocabulary(secret),
  },
  // redis.conf
  {
    type: 'password',
    hints: ['requirepass', 'masterauth'],
    pattern: /(?:^|\n)\s{0,8}(?:config set )?(?:requirepass|masterauth)[ \t]{1,4}"?([^\s"]{4,200})/dgi,
    accept: isDelivered,
  },
  // openssl -passin pass:x
  {
    type: 'password',
    hints: ['pass:'],
    pattern: /-pass(?:in|out|word)?\s{1,3}["']?pass:([^\s"']{1,200})/dgi,
    accept: isDelivered,
  },
  // jdbc:oracle:thin:user/password@host, sqlplus user/password@host
  {
    type: 'connection_string',
    hints: ['jdbc:oracle', 'sqlplus'],
    pattern: /\b(?:jdbc:oracle:\w{3,4}:|sqlplus\s{1,3})([^\s/@"']{1,60}\/[^\s@"']{1,100})(?=@)/dgi,
    accept: isDelivered,
  },
  // .npmrc: //registry/:_authToken=x, _auth=base64
  {
    type: 'npm_token',
    hints: ['_auth'],
    pattern: /(?<![A-Za-z0-9])_auth(?:Token)?\s{0,3}=\s{0,3}"?([^\s"]{8,})/dg,
    accept: isDelivered,
  },
  {
    type: 'password',
    hints: ['-stdin'],
    pattern:
      /\b(?:echo|printf)\s{1,3}(?:-n\s)?["']?([^\s"'|]{3,200})["']?\s{0,3}\|[^\n]{0,80}--?(?:password|token)-stdin/dgi,
    accept: isDelivered,
  },
  // "Xk9#vT é a senha", "Tr0ub4dor&3 is the password"
  {
    type: 'password',
    hints: [' is the ', ' is my ', ' is our ', ' é a ', ' é minha ', ' eh a '],
    pattern:
      /(?<![^\s"'`(])["'`]?([^\s"'`]{6,64})["'`]?[ \t](?:is|é|eh)[ \t](?:the|my|our|a|minha|nossa)[ \t](?:[\p{L}]{1,20}[ \t])?(?:password|senha|token|secret|api key|chave)/dgiu,
    accept: secret =>
      isDelivered(secret) && (isUnmistakable(secret) || /[A-Za-z].*\d[!@#$%&*]$/.test(secret)),
  },
  // "use Xk9vTz as the password", "nimm Xk9vTz als Passwort", "`letmein` es la contraseña"
  {
    type: 'password',
    hints: ['pass', 'senha', 'contrase', 'clave', 'kennwort', 'pwd'],
    pattern:
      /(?<=^|[\s(])(?:[`"'«“*]{1,2}([^\s`"'«»“”*]{4,64})[`"'»”*]{1,2}|([^\s`"'«»“”]{4,64}))[ \t]{1,2}(?:(?:is|was|as|é|era|como|es|ist|war|als|est|comme|<-{1,2}|=)[ \t]|\()(?:(?:the|my|our|your|an?|[ao]s?|la|el|le|das|sein|mein|unser|dein|minha|nossa|sua|mi|nuestra|su|tu|mon|notre|votre|new|nova|neues?|nueva|nouveau)[ \t]){0,3}(?:[\p{L}\d-]{1,20}[ \t]){0,2}?(?:password|pass ?phrase|passcode|senha|contraseña|clave|passwort|kennwort|mot de passe|mdp|pwd)(?![\p{L}_]|[ -](?:hash|field|manager|reset|policy|length|input|form|file|store|column|prompt|enco|encr|func|algo|prov))/dgiu,
    accept: secret =>
      isDelivered(secret) &&
      (isPasswordLike(secret) || isRandomLetters(secret)) &&
      !isIdentifier(secret) &&
      !/^\W|[(){}]/.test(secret),
  },
  // Cloud workflows that anyone with the address can start.
  {
    type: 'webhook',
    hints: ['logic.azure.com', 'powerplatform.com'],
    pattern: /\b(?:logic\.azure\.com|powerplatform\.com)(?::443)?\/([^\s"'`<>]{20,600})/dgi,
    accept: secret => secret.includes('sig=') && isDelivered(secret),
  },
  // "sign in as bob with Xk9vTz", "use Xk9vTz to log in"
  {
    type: 'password',
    hints: [
      'log in',
      'login',
      'sign in',
      'signin',
      'unlock',
      'entre',
      'entrar',
      'acess',
      'anmeld',
      'connect',
    ],
    pattern:
      /\b(?:log ?in|sign ?in|unlock|entrar?|entre|acess[ea]r?|anmelden|melde dich|connecte[rz]?)\b[^\n.;]{0,40}?[ \t](?:with|com|con|mit|avec|and|e|y|und|et|\/)[ \t][`"'*]{0,2}(?:[\w.@-]{2,40}[ \t]?[/:,][ \t]?)?([^\s`"'*,;]{6,64})|\b(?:use|usa|usar|nimm|verwende|utilise[rz]?)[ \t][`"'*]{0,2}([^\s`"'*]{6,64})[`"'*]{0,2}[ \t](?:to|para|pour|zum|pra)[ \t](?:log|sign|unlock|connect|access|entrar|acess|se connecter|anmelden|einloggen|iniciar|abrir)/dgi,
    accept: secret => isDelivered(secret) && isLikelyPassword(secret.replace(/[.,:!?)]+$/, '')),
  },
  // auth=('bob', 'x'), new PasswordCredential("bob", "x")
  {
    type: 'password',
    hints: ['auth', 'credential', 'login'],
    pattern:
      /(?:auth|credentials?|login|authenticat\w{1,4})\s?=?\s?\(\s?["'][^"'\n]{1,64}["']\s?,\s?["']([^"'\n]{4,200})["']/dgi,
    accept: secret =>
      isDelivered(secret) &&
      !isVocabulary(secret) &&
      !isIdentifier(secret) &&
      !/\s|^[A-Z][a-z]+$|[/.]/.test(secret),
  },
  // Windows, keytool, openssl, sudo
  {
    type: 'password',
    hints: ['net use', 'storepass', 'keypass', 'openssl', 'sudo'],
    pattern:
      /\bnet use\b[^\n]{0,100}?\s\/user:\S{1,80}\s{1,3}([^\s/"'][^\s"']{3,100})|(?<=\s)-(?:store|key)pass\s{1,3}["']?([^\s"']{4,100})|\bopenssl\b[^\n|]{0,120}?\s-k\s{1,3}["']?([^\s"'-][^\s"']{3,100})|\becho\s{1,3}["']?([^\s"'|$]{4,100})["']?\s{0,3}\|\s{0,3}sudo\s{1,3}-\w{0,4}S/dgi,
    accept: isDelivered,
  },
  // .htpasswd and shadow files: bob:$apr1$…
  {
    type: 'password',
    hints: [':$', ':{'],
    pattern:
      /(?<=^|\s)[\w.-]{1,64}:(\$(?:apr1|1|2[abxy]|5|6|y|argon2id?)\$[^\s:]{8,200}|\{SSHA?\}[\w+/=]{8,100})/dg,
    accept: isDelivered,
  },
  // A list of proxies: 10.0.0.1:8080:bob:x
  {
    type: 'password',
    hints: [':'],
    pattern:
      /(?<=^|[\s/])(?:\d{1,3}(?:\.\d{1,3}){3}|[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}):\d{2,5}:[A-Za-z][\w.-]{1,63}:([^\s:/]{4,200})(?=\s|$)/dg,
    accept: secret => isDelivered(secret) && !isVocabulary(secret),
  },
  // "credentials: admin / P4ss!", "login: admin:P4ss!": how people share a login in chat.
  {
    type: 'password',
    hints: [
      'cred',
      'login',
      'log in',
      'acesso',
      'acceso',
      'user/',
      'rio/senha',
      'zugangsdaten',
      'identifiants',
    ],
    pattern:
      /\b(?:credentials?|creds|credenciais|credenciales|zugangsdaten|identifiants|login|acesso|acceso|log in with|user\/pass(?:word)?|usu[aá]rio\/senha)\b[^\n:=]{0,30}[:=]?[ \t]{1,3}[`"']?[\w.@-]{2,60}[`"']?[ \t]{0,2}[/|:][ \t]{0,2}[`"']?([^\s`"',;/]{6,100})/dgi,
    accept: isHandedOver,
  },
]

/** After `Bearer`: `authentication` and `accessToken` are words of a sentence or a program. */
function isCredential(secret: string): boolean {
  return isMachineMade(secret) || isRandomLetters(secret) || /^(?:[a-z]{16,}|[A-Z]{16,})$/.test(secret)
}

/** Mixed enough not to be a path, a time or a second name. */
function isHandedOver(secret: string): boolean {
  if (!isDelivered(secret) || !/\d/.test(secret) || !/[A-Za-z]/.test(secret)) return false
  return /[!@#$%^&*?+]/.test(secret) || (/[a-z]/.test(secret) && /[A-Z]/.test(secret))
}

export function findInCommandLines(text: string, lowerCased: string): Span[] {
  const spans: Span[] = []
  for (const { type, hints, pattern, accept } of PLACE_RULES) {
    if (!hints.some(hint => lowerCased.includes(hint))) continue
    for (const match of text.matchAll(pattern)) {
      const at = match.indices?.slice(1).find(group => group !== undefined)
      if (at === undefined || !accept(text.slice(...at))) continue
      spans.push({ type, start: at[0], end: at[1] })
    }
  }
  return spans
}

/** `Basic authentication` is prose; what decodes to `user:password` is not. */
function isUserAndPassword(encoded: string): boolean {
  // Wrong padding makes `atob` throw, missing padding does not; one character more than a whole group can never be decoded.
  const unpadded = encoded.replace(/=+$/, '')
  return unpadded.length % 4 !== 1 && /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(atob(unpadded))
}
