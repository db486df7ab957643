import type { Range, RedactionType, Span } from './placeholder.ts'
import { isRandomLetters, isWordy } from './randomness.ts'
import { isExample, isJoinedWords } from './stand-in.ts'
import { serviceTokenPattern } from './token-formats.ts'

/**
 * Tokens that are recognised by their own shape. Lengths are looser than the vendors' (an older or a longer format, or a token cut by a
 * log line, must not pass). The prefix makes them certain: no guess about the body spares one, only clear examples (stand-in.ts) stay.
 *
 * Two things keep the one compiled regex linear on hostile text. A pattern ends in its only unbounded run, so a match consumes what it
 * scanned; and where something must follow such a run (JWT), the pattern may only start at the head of a run, so no stretch is scanned
 * from each of its positions.
 */
interface TokenRule {
  readonly type: RedactionType
  /** As a source, without capturing groups: all rules are compiled into one regex. */
  readonly pattern: RegExp
  /** The prefix is short or common enough to occur inside a word, so the token must begin at an edge. */
  readonly atEdge?: true
  /** A final check of the match, for prefixes that ordinary words share. */
  readonly accept?: (match: string) => boolean
}

/** For prefixes that ordinary words share: random, with a digit or with shorter pieces than any name. */
const isRandomToken = (match: string) =>
  /\d/.test(match) ? !isWordy(match) : isRandomLetters(match.replace(/^\w{1,3}[-.]/, ''))

/** The same for the body after a longer prefix, which may itself contain `-` and `_`. */
const isRandomBody = (body: string) =>
  (/\d/.test(body) && !isWordy(body)) || body.split(/[^A-Za-z]+/).some(isRandomLetters)

export const TOKEN_RULES: readonly TokenRule[] = [
  // Of our own hub (src/addons/hub/decide/own-tokens.ts); a part of the secret is enough.
  { type: 'cairn_token', pattern: /cairn_[0-9a-f]{16}_[0-9a-f]{16,}/ },
  // docs.aws.amazon.com, IAM identifiers: AKIA long-term, ASIA temporary. AROA and AIDA name principals, not keys.
  {
    type: 'aws_access_key',
    pattern: /(?:AKIA|ASIA(?!PACIFIC)|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{14,20}(?![A-Za-z0-9])/,
    atEdge: true,
    accept: match => match.length === 20 || /\d/.test(match),
  },
  // github.blog, "Behind GitHub's new authentication token formats"; tokens of installations hold the app's id and a JWT since 2026.
  {
    type: 'github_token',
    pattern: /gh[pousr]_[A-Za-z0-9]{20,}|ghs_\d{1,20}_[\w.-]{20,}|github_pat_[A-Za-z0-9_]{20,}/,
  },
  // docs.gitlab.com, token prefixes: personal, deploy, runner, CI job, trigger, feed, agent, OAuth secret.
  {
    type: 'gitlab_token',
    pattern:
      /(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-|gloas-)[\w-]{16,}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?/,
    atEdge: true,
  },
  // api.slack.com/authentication/token-types; xoxe rotates, xapp is app-level, xoxc/xoxd are browser session tokens.
  {
    type: 'slack_token',
    pattern: /xox[abcdeoprs](?:\.xox[bp])?-[\w%+/-]{8,}|xapp-\d{1,12}-[\w-]{10,}/,
    atEdge: true,
  },
  // api.slack.com/messaging/webhooks: the path is the secret, the host is not.
  {
    type: 'slack_webhook',
    pattern: /(?<=hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/-]{8,}/,
  },
  // discord.com/developers, webhook resource: numeric id, then the token.
  {
    type: 'discord_webhook',
    pattern: /(?<=discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)\d{5,20}\/[\w-]{20,}/,
  },
  // discord.com/developers: base64 user id, timestamp, HMAC.
  {
    type: 'discord_token',
    pattern: /[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}/,
    atEdge: true,
    accept: isRandomToken,
  },
  // Microsoft Teams, Zapier, Make and IFTTT webhooks, nodes of Infura and Alchemy: anyone who knows the path can use them.
  {
    type: 'webhook',
    pattern:
      /(?<=webhook\.office\.com\/webhookb2\/|outlook\.office(?:365)?\.com\/webhook\/|hooks\.zapier\.com\/hooks\/catch\/|hook\.(?:eu|us)\d\.make\.com\/|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/|\/cgi-bin\/webhook\/send\?key=|\/robot\/send\?access_token=|\/with\/key\/|mattermost\.[\w.]{1,40}\/hooks\/|rocket\.chat\/hooks\/|infura\.io\/v3\/|\.tines\.com\/webhook\/|alchemy(?:api)?\.(?:io|com)\/v2\/)[\w@/-]{12,}|(?<=:\/\/[^\s/]{1,80}\/hooks\/)[a-z0-9]{26}(?!\w)/,
  },
  // npm: `npm_` and 36 characters. `npm_config_registry` has an underscore and stays.
  {
    type: 'npm_token',
    pattern: /npm_[A-Za-z0-9]{24,}/,
    atEdge: true,
    accept: match => isRandomBody(match.slice(4)),
  },
  // PyPI: a macaroon that always starts like this.
  { type: 'pypi_token', pattern: /pypi-(?:AgE[A-Za-z0-9_-]{20,}|[A-Za-z0-9_-]{60,})/, atEdge: true },
  // console.anthropic.com.
  { type: 'anthropic_key', pattern: /sk-ant-[\w-]{16,}/ },
  // platform.openai.com: sk-, sk-proj-, sk-svcacct-, sk-admin-; also OpenRouter's and DeepSeek's sk-.
  {
    type: 'openai_key',
    pattern: /sk-(?!ant-)[\w-]{20,}/,
    atEdge: true,
    accept: match => /^sk-(?:proj|svcacct|admin|or-v1)-/.test(match) || isRandomToken(match),
  },
  // cloud.google.com/docs/authentication/api-keys: AIza and 35 characters.
  { type: 'google_api_key', pattern: /AIza[\w-]{30,}/ },
  // developers.google.com/identity: client secret, access token, refresh token.
  { type: 'google_oauth_secret', pattern: /GOCSPX-[\w-]{16,}/ },
  {
    type: 'google_oauth_secret',
    pattern: /ya29\.[\w-]{10,}|(?:1\/\/0|4\/0A)[\w-]{24,}/,
    atEdge: true,
  },
  // docs.stripe.com/keys and webhook signing secrets. Publishable keys name the account, so they go too.
  { type: 'stripe_key', pattern: /(?:[sra]k|pk)_(?:live|test|prod|dev)_[A-Za-z0-9]{10,}/ },
  { type: 'stripe_key', pattern: /(?:pi|seti|src)_[A-Za-z0-9]{10,}_secret_[A-Za-z0-9]{10,}/, atEdge: true },
  { type: 'stripe_key', pattern: /whsec_[A-Za-z0-9+/=]{16,}/, atEdge: true },
  // sendgrid.com/docs: SG.<22>.<43>.
  { type: 'sendgrid_key', pattern: /SG\.(?:[\w=-]{8,64}\.[\w=-]{8,}|[\w=.-]{60,})/, atEdge: true },
  // twilio.com/docs/iam: account and API key SIDs. The auth token is bare hex and needs its name (assignments).
  { type: 'twilio_key', pattern: /(?:AC|SK)(?:[0-9a-f]{32}|[0-9a-fA-F]{32})(?![A-Za-z0-9])/, atEdge: true },
  // core.telegram.org/bots/api: bot id, colon, 35 characters. In URLs it follows `bot` with nothing between.
  {
    type: 'telegram_token',
    pattern: /(?<!\d)\d{8,10}:(?:AA[\w-]{30,}|[\w-]{35}(?![\w-]))/,
    accept: match => /[A-Z]/.test(match) && /[a-z]/.test(match),
  },
  // huggingface.co/docs/hub/security-tokens. `hf_hub_download` has underscores and stays.
  {
    type: 'huggingface_token',
    pattern: /(?:hf|api_org)_[A-Za-z0-9]{28,}/,
    atEdge: true,
    accept: match =>
      /\d|[a-z][A-Z]/.test(match.slice(3)) || isRandomLetters(match.replace(/^(?:api_)?\w{2,3}_/, '')),
  },
  // docs.digitalocean.com: personal, OAuth and refresh tokens.
  { type: 'digitalocean_token', pattern: /do[opr]_v1_[0-9A-Fa-f]{32,}/, atEdge: true },
  // learn.microsoft.com, storage account keys, Service Bus and Event Hub connection strings.
  {
    type: 'azure_key',
    pattern: /(?<=(?:AccountKey|SharedAccessKey|SharedSecretValue)=)[A-Za-z0-9+/]{20,}={0,2}/,
  },
  // learn.microsoft.com, shared access signatures: `sig` is what grants access.
  { type: 'azure_sas', pattern: /(?<=[?&;]sig=)[A-Za-z0-9%+/=_-]{16,}/ },
  // RFC 7519 (three parts) and RFC 7516 (five). A header alone grants nothing.
  { type: 'jwt', pattern: /(?:(?<![\w-])|(?<=\\[nrt]))eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/ },
  // A key or a service account file in base64, as in Kubernetes and CI variables: "-----BEGIN " (but not "CERT" or "PUBLIC" after it) and
  // `{"type":"service_account"`.
  { type: 'private_key', pattern: /LS0tLS1CRUdJTiB(?!DRVJU|QVUJMSUMg)[A-Za-z0-9+/=]{16,}/ },
  {
    type: 'private_key',
    pattern: /ew(?:og|0K)ICAidHlwZSI6[A-Za-z0-9+/=]{16,}|eyJ0eXBlIjoic2Vydmlj[A-Za-z0-9+/=]{16,}/,
  },
  // github.com/FiloSottile/age.
  { type: 'private_key', pattern: /AGE-SECRET-KEY-1[A-Z0-9]{20,}/ },

  // All others, by the prefixes that their vendors publish for secret scanning.
  { type: 'atlassian_token', pattern: /(?:AT[ACS]TT|ATBB)[\w+/=-]{20,}/, atEdge: true },
  { type: 'databricks_token', pattern: /(?:dapi[0-9A-Za-z]{32}|dose[0-9A-Fa-f]{32})(?:-\d)?/, atEdge: true },
  { type: 'docker_token', pattern: /dckr_[a-z]{3,4}_[\w-]{20,}/, atEdge: true },
  { type: 'figma_token', pattern: /fig[a-z]{1,2}_[\w-]{36,}/, atEdge: true },
  { type: 'grafana_token', pattern: /(?:glc_[A-Za-z0-9+/=]{30,}|glsa_\w{32,})/, atEdge: true },
  { type: 'groq_key', pattern: /gsk_[A-Za-z0-9]{30,}/, atEdge: true },
  { type: 'linear_token', pattern: /lin_(?:api|oauth)_\w{28,}/, atEdge: true },
  {
    type: 'mailgun_key',
    pattern:
      /(?:(?:pub)?key-[0-9a-z]{32}(?![\w-])|[0-9a-f]{32}-us\d{1,2}(?!\w)|[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}(?!\w))/,
    atEdge: true,
  },
  { type: 'mercadopago_token', pattern: /(?:APP_USR|TEST)-\d{10,}-\d{4,}-[0-9a-f]{20,}[\w-]*/, atEdge: true },
  {
    type: 'newrelic_key',
    pattern:
      /NR[A-Z]{2}-[\w-]{16,}|nr(?:ak|aa|ii|iq|ra|sp)-[\w-]{20,}|[0-9a-fA-F]{30,36}NRAL(?!\w)|(?:eu01xx)?[0-9a-f]{36,40}-NRMA(?!\w)/,
    atEdge: true,
  },
  { type: 'notion_token', pattern: /(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,})/, atEdge: true },
  { type: 'onepassword_token', pattern: /ops_ey[A-Za-z0-9+/=_-]{60,}/, atEdge: true },
  { type: 'sentry_token', pattern: /sntry[su]_[\w+/=-]{30,}/, atEdge: true },
  { type: 'shopify_token', pattern: /shp(?:at|ca|pa|ss|ua|tka)_[A-Za-z0-9]{28,}/, atEdge: true },
  { type: 'square_token', pattern: /sq0[a-z]{3}-[\w-]{20,}/, atEdge: true },
  {
    type: 'supabase_token',
    pattern: /sbp_[\w-]{36,}|sb_(?:secret|publishable)_[\w-]{20,}/,
    atEdge: true,
  },
  {
    type: 'vault_token',
    pattern: /(?:hv[sbr]\.[\w-]{20,}|s\.[A-Za-z0-9]{24}(?![\w.-]))/,
    atEdge: true,
    accept: match => match.startsWith('hv') || isRandomToken(match),
  },
  { type: 'vercel_token', pattern: /vc[piark]_[\w-]{20,}/, atEdge: true },
  // learn.microsoft.com, Entra ID client secrets.
  { type: 'azure_key', pattern: /[\w.~]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/, atEdge: true },
  // Formats of more than a prefix and a body.
  {
    // 1Password, MaxMind, Octopus, Harness, Authress, Plaid, Asana, Zoho, Amazon MWS, Salesforce, Tableau, eBay.
    type: 'service_token',
    pattern:
      /A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4}|[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk|API-[A-Z0-9]{26}(?![A-Z0-9])|[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}|(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,}|access-(?:sandbox|development|production)-[0-9a-fA-F-]{36}|[012]\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{32}|1000\.[0-9a-f]{32}\.[0-9a-f]{32}|amzn\.mws\.[0-9a-f-]{36}|amzn1\.oa2-cs\.v1\.[0-9a-f]{40,}|00[A-Za-z0-9]{13}![\w.-]{60,}|[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}|PRD-[0-9a-f]{8,12}-[0-9a-f-]{8,}/,
    atEdge: true,
  },
  {
    // OpenShift, Dynatrace, Checkout.com, ClickHouse, crates.io, Databento, Lob, Resend, ElevenLabs, Klaviyo, ClickUp, Mapbox, X, Firebase.
    type: 'service_token',
    pattern:
      /sha256~[\w-]{43}(?![\w-])|4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])|cio[A-Za-z0-9]{32}(?![A-Za-z0-9])|db-[A-Za-z0-9]{29}(?![\w-])|(?:live|test)_(?:auth_)?[0-9a-f]{32,}(?!\w)|live_\d{6,12}_[A-Za-z0-9]{20,}|live_[\w=-]{40,}|[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![\w.])|re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,}|sk_\d{1,8}_\d{1,8}_[0-9a-f]{32}|[ps]k_(?:[a-z]{2,12}_[A-Za-z0-9]{40}|[A-Za-z0-9]{6}_[0-9a-f]{32,}|\d{7,9}_[A-Za-z0-9]{32}|(?:test_|sbox_)?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})|dt0[A-Za-z]\d\d\.[A-Za-z0-9]{24}(?:\.[A-Za-z0-9]{36,})?|(?:api)?key_(?:[0-9a-fA-F]{60,}|[0-9a-f]{28}(?!\w))|[pst]k\.[A-Za-z0-9]{50,}\.[\w-]{18,}|sk[A-Za-z0-9]{100,}|(?:sdk|api|mob)-[0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12}|(?:na1|na2|eu1)-[0-9a-f]{4}-[0-9a-f-]{36}|hc[a-z]{3}_[a-z0-9]{50,}|A{20,24}[A-Za-z0-9%]{60,}|AAAA[\w-]{7}:[\w-]{130,}/,
    atEdge: true,
  },
  {
    // Airtable, Buildkite, Terraform Cloud, Facebook, Cloudflare, Alibaba, Yandex.
    type: 'service_token',
    pattern:
      /pat[A-Za-z0-9]{14}\.[0-9a-z]{40,}|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}|LTAI[A-Za-z0-9]{16,24}(?![\w-])|EAA[A-Za-z0-9]{80,}|t1\.[\w=-]{10,}\.[\w-]{80,}|fm[12][ar]?[-_][\w+/=-]{30,}/,
    atEdge: true,
  },
  {
    // Datadog, Telnyx, HubSpot, Close, Ghost, Sumsub, Bitwarden, Circle, Keygen, BitGo, Rancher, K3s, Sonatype, Block Protocol, ngrok, Adyen, and the names that keys of Azure carry.
    type: 'service_token',
    pattern:
      /api_[A-Za-z0-9]{16,26}\.[A-Za-z0-9]{16,26}|[0-9a-f]{24}:[0-9a-f]{64}(?!\w)|(?:prd|sbx):[A-Za-z0-9]{20,26}\.[A-Za-z0-9]{28,}|0\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9]{26,34}:[\w+/-]{20,}={0,2}|(?:TEST|LIVE)_API_KEY:[0-9a-f]{32}:[0-9a-f]{32}|(?:admin|prod|user|env|activ)-[0-9a-f]{60,}v\d(?!\w)|v2x[0-9a-f]{60,}|pub[0-9a-f]{32}(?!\w)|KEY[A-Za-z0-9][\w-]{50,}|pat-[a-z]{2}\d-[0-9a-f-]{36,}|token-[0-9a-z]{5}:[0-9a-z]{50,}|K10[0-9a-f]{64}::[\w:-]{20,}|b10ks_[0-9a-f]{32}\.[0-9a-f.-]{36,}|2[A-Za-z0-9]{26}_[A-Za-z0-9]{21}(?!\w)|AQE[a-z]hm[\w+/=-]{60,}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{20,}|[A-Za-z0-9]{52}AZDO[A-Za-z0-9]{4,}/,
    atEdge: true,
  },
  // Amazon's Login, sessions of Roblox, hashes of Kerberos: after a mark that no token has.
  {
    type: 'service_token',
    pattern:
      /(?<=Atz[ar]\|)[\w+/=-]{40,}|(?<=DO-NOT-SHARE-THIS\.[^|\n]{0,200}\|_)[0-9A-Za-z]{60,}|(?<=\$krb5(?:asrep|tgs)\$[^\s]{1,100}\$)[0-9a-f]{32,}/,
  },
  // The environment that vendors put into their keys: `flb_test_…`, `scp-live-…`.
  {
    type: 'service_token',
    pattern:
      /(?:(?<![A-Za-z0-9\\])|(?<=\\[nrt]))(?:[A-Za-z][A-Za-z0-9]{1,11}(?:_(?:live|test|sandbox)_|-live-)|(?:live|test)_)[A-Za-z0-9]{20,}/,
    // A digest after it is that of a build.
    accept: match => isRandomToken(match) && !/[_-](?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(match),
  },
  // A session of GitLab's pages.
  { type: 'gitlab_token', pattern: /(?<=_gitlab_session=)[0-9a-z]{32}/ },
  { type: 'service_token', pattern: serviceTokenPattern({ shared: false }), atEdge: true },
  {
    type: 'service_token',
    pattern: serviceTokenPattern({ shared: true }),
    atEdge: true,
    accept: match => isRandomBody(match.replace(/^[A-Za-z]+[-_.]/, '')),
  },
]

const source = (rules: readonly TokenRule[]) => rules.map(rule => `(${rule.pattern.source})`).join('|')
const EDGE_RULES = TOKEN_RULES.filter(rule => rule.atEdge)
const FREE_RULES = TOKEN_RULES.filter(rule => !rule.atEdge)
const AT_EDGE = new RegExp(source(EDGE_RULES), 'y')
const ANYWHERE = new RegExp(source(FREE_RULES), 'g')
/** A text without any of these is not searched for the rules that may match anywhere: how they begin or what precedes them. */
const ANYWHERE_HINT =
  /cairn_|gh[pousr]_|github_pat_|AIza|sk-ant|hook|infura|alchemy|with\/key|access_token=|(?:live|test|prod|dev|sandbox)[_-]|(?:Key|Value|sig|_session)=|eyJ|LS0t|ew[o0]|AGE-S|\d:[\w-]{30}|GOCSPX|krb5|Atz|WARNING/
/** A token is judged by its beginning: `sk-sk-sk-…` would otherwise be read to its end from each of its edges. */
const MAX_JUDGED_LENGTH = 512
/** How far before a run a rule that may match anywhere has to look: the address of a webhook. */
const REACH = 120

export function findTokens(text: string, runs: readonly Range[]): Span[] {
  const spans: Span[] = []
  const hasColours = text.includes('\x1b')
  const isHinted = runs.length > 0 && ANYWHERE_HINT.test(text)
  for (const run of runs) {
    for (let at = run.start; at < run.end; at += 1) {
      if (!isEdge(text, at, run, hasColours)) continue
      AT_EDGE.lastIndex = 0
      let match = AT_EDGE.exec(text.slice(at, at + MAX_JUDGED_LENGTH))
      if (match === null) continue
      if (match[0].length === MAX_JUDGED_LENGTH) {
        AT_EDGE.lastIndex = at
        if (!isAccepted(match, EDGE_RULES)) continue
        match = AT_EDGE.exec(text) ?? match
      }
      match.index = at
      if (take(match, EDGE_RULES)) at += match[0].length - 1
    }
    if (!isHinted) continue
    const offset = Math.max(0, run.start - REACH)
    for (const match of text.slice(offset, run.end).matchAll(ANYWHERE)) {
      match.index += offset
      if (match.index >= run.start) take(match, FREE_RULES)
    }
  }
  return spans.sort((a, b) => a.start - b.start)

  function take(match: RegExpExecArray, rules: readonly TokenRule[]): boolean {
    const rule = ruleOf(match, rules)
    if (!isAccepted(match, rules) || isInsideBase64(text, match.index)) return false
    spans.push({ type: rule.type, start: match.index, end: match.index + match[0].length })
    return true
  }
}

/** The group that matched is that of the rule. */
function ruleOf(match: RegExpExecArray, rules: readonly TokenRule[]): TokenRule {
  return rules[match.indexOf(match[0], 1) - 1] as TokenRule
}

function isAccepted(match: RegExpExecArray, rules: readonly TokenRule[]): boolean {
  return ruleOf(match, rules).accept?.(match[0]) !== false && !isExample(match[0]) && !isJoinedWords(match[0])
}

const ALPHANUMERIC = /[A-Za-z0-9]/
const AFTER_ESCAPE = /(?:\\[nrt]|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,8}m)$/

/**
 * Where a token may begin. A letter before it usually means the middle of a word, unless that letter belongs to an escape: `\n` in JSON,
 * `%3D` in a URL, the `m` that closes a colour code in a CI log.
 */
function isEdge(text: string, at: number, run: Range, hasColours: boolean): boolean {
  if (at === run.start) return true
  const before = text.charAt(at - 1)
  if (!ALPHANUMERIC.test(before)) return true
  const isNearStart = at - run.start === 1 && text.charAt(run.start - 1) === '\\'
  if (!isNearStart && text.charAt(at - 3) !== '%' && !(hasColours && before === 'm')) return false
  return AFTER_ESCAPE.test(text.slice(Math.max(0, at - 12), at))
}

/** A prefix of four letters occurs in every large base64 blob: there, `/` and `+` are not edges. */
export function isInsideBase64(text: string, start: number): boolean {
  if (!/[+/]/.test(text.charAt(start - 1))) return false
  const before = text.slice(Math.max(0, start - 24), start)
  return (
    /^[A-Za-z0-9+/]{24}$/.test(before) && /[A-Z]/.test(before) && /[a-z]/.test(before) && /\d/.test(before)
  )
}
