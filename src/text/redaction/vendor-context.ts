import type { Range, Span } from './placeholder.ts'
import { isRandomLetters } from './randomness.ts'
import { isExample } from './stand-in.ts'

/** Services whose keys have no prefix: only their name before the value says what it is. */
const VENDORS = (
  'adafruit adobe airtable aiven algolia alibaba aliyun amplitude asana assemblyai atlassian beamer bitbucket bitly bitrise bittrex brave ' +
  'canva cerebras circleci civo clearbit clickup cloudflare cloudinary codecov cohere coinbase coinmarketcap configcat confluent confluence contentful coveralls ' +
  'databricks datadog deepgram deepseek digitalocean discord disqus droneci dropbox dynatrace elevenlabs etherscan etsy exoscale facebook ' +
  'fastly finicity finnhub flickr freshbooks fullstory gitea gitter gocardless greptile gumroad heroku honeycomb hubspot ibm infura influxdb ' +
  'instagram intercom jfrog artifactory jira jumpcloud kagi klaviyo kimi kraken kucoin langfuse lark lighton launchdarkly linear linkedin lob looker mailchimp mailgun ' +
  'mailjet mapbox mattermost meraki messagebird mistral moonshot netlify newrelic nytimes okta ollama openai openweather ovh pagerduty pinecone ' +
  'pipedrive plaid plivo postmark privateai rapidapi razorpay rollbar salesforce scaleway sendbird sendgrid sentry shodan snyk sonar sourcegraph ' +
  'splunk spotify square squarespace stability sumologic sumo tableau telegram telnyx travis trello twilio twitch twitter typeform unsplash upstage ' +
  'vercel virustotal wakatime wandb weatherstack weightsandbiases workos sslmate figma yandex zendesk zoom'
).split(' ')
/** The name of the service, what else the name says, and a separator. */
const VENDOR_BEFORE = new RegExp(
  `(?:${VENDORS.join('|')})([\\w .-]{0,24})["'\`\\s]{0,3}(?:=|:|>|,|\\|\\|)[=>]?["'\`\\s]{0,4}$`,
  'i',
)
const REACH = 64
/** What a name ends in when its value may be known: `HEROKU_APP_ID`, `sentry_release`. */
const OPEN_NAME =
  /(?:id|sha|commit|hash|release|version|build|digest|url|uri|host|domain|region|dsn|ref|tag|name|user|email|page|cursor|file|path|image|checksum|revision|rev|etag)s?["'` ]*$/i
const VALUE = /(?<![\w+-])[A-Za-z0-9-][\w.+/|-]{13,}={0,2}/g
/** Made by a machine, of a length that keys have: hex, UUIDs, or letters and digits in turns. */
const KEY_SHAPES = [
  /^[0-9a-f]{20,}(?:-us\d{1,2})?$/i,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^[\w=-]{16,}$/,
  /^[\w+/=|:.-]{24,}$/,
]

/** Random values after the name of a service: `adafruit_io: 3f…`, `"datadogApp" => "9c…"`. */
export function findVendorKeys(text: string, runs: readonly Range[]): Span[] {
  const spans: Span[] = []
  for (const run of runs) {
    VALUE.lastIndex = 0
    for (const match of text.slice(run.start, run.end).matchAll(VALUE)) {
      const start = run.start + match.index
      const name = VENDOR_BEFORE.exec(text.slice(Math.max(0, start - REACH), start))?.[1]
      if (name === undefined || OPEN_NAME.test(name)) continue
      const value = match[0].replace(/[.:]+$/, '')
      if (!KEY_SHAPES.some(shape => shape.test(value)) || !isMixed(value) || isExample(value)) continue
      spans.push({ type: 'api_key', start, end: start + value.length })
    }
  }
  return spans
}

/** Letters and digits in turns, more often than a name with a number or a date has them, or letters that make no word. */
function isMixed(value: string): boolean {
  if (/^[A-Za-z]+$/.test(value)) return isRandomLetters(value)
  const turns = value.split(/(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)/).length - 1
  return turns >= 4 || (turns >= 1 && value.split(/[^A-Za-z]+/).some(isRandomLetters))
}
