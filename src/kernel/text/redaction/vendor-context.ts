import type { Range, Span } from './placeholder.ts'
import { isRandomLetters, turnsOf } from './randomness.ts'
import { isExample } from './stand-in.ts'

/** Services whose keys have no prefix: only the service's name before the value identifies them. */
const VENDORS = `
  abuseipdb adafruit adobe airship airtable aiven akamai alchemy alegra algolia alibaba aliyun amadeus amplitude apify
  appcues appfollow artifactory asana assemblyai atlassian autodesk avaza aviationstack axonaut aylien ayrshare
  bannerbear baremetrics beamer betterstack bigcommerce binance bitbucket bitfinex bitly bitrise bittrex blazemeter
  blitapp boostnote botman braintree brandfetch brave browserstack buddyns bugsnag buttercms calendarific calendly
  campayn canva capsulecrm caspio cerebras chartmogul circleci civo clarifai clearbit clicksend clickup clientary
  clockify cloudconvert cloudflare cloudinary cloudmersive codacy codeclimate codecov cohere coinapi coinbase coinlayer
  coinmarketcap companyhub configcat confluence confluent contentful convertkit coveralls crowdin currencylayer
  customerio databricks datadog deepgram deepseek delighted dfuse diffbot digitalocean discord disqus docusign dovico
  droneci dropbox dwolla dynatrace dyspatch easyinsight edamam elevenlabs etherscan etsy eventbrite everhour
  exchangerate exoscale facebook fastly fibery figma finage finicity finnhub fixerio flickr flightapi formio foursquare
  freshbooks freshdesk fullstory gemini geoapify geocodio getgeoapi gettyimages giphy gitea gitter gocardless graphcms
  graphhopper greptile guardianapi gumroad harvest helpscout heroku holidayapi honeycomb hubspot hunter ibm influxdb
  infura instagram intercom ipgeolocation ipify ipinfo ipstack jfrog jira jotform jumpcloud kagi kickbox kimi klaviyo
  knapsackpro kraken kucoin langfuse lark lastfm launchdarkly lemlist lighton linear linkedin lob locationiq loggly
  loginradius logz lokalise looker mailchimp mailgun mailjet mandrill mapbox mapquest marketstack mattermost mavenlink
  mediastack meraki messagebird metabase mistral mixpanel mollie moonshot mux netlify neutrino newrelic newsapi nexmo
  ngrok nutritionix nytimes okta ollama onelogin onfleet openai opencage openuv openweather opsgenie optimizely ovh
  pagerduty paralleldots parseur paydirt paymo paymongo paystack pepipost percy pinecone pipedrive pivotaltracker
  pixabay plaid plivo polygon positionstack postmark prismic privateai pusher qualaroo rapidapi rawg razorpay rebrandly
  refiner rentman restpack rocketreach rollbar runrun salesforce saucelabs scaleway scrapingbee screenshotapi sendbird
  sendgrid sentry sheety shodan shutterstock simplesat siteleaf skrappey smartsheet smartystreets snipcart snyk sonar
  sourcegraph splunk spoonacular sportsmonk spotify square squarespace sslmate stability statuscake statuspage
  stormglass storyblok strava sumo sumologic surveysparrow tableau taxjar teamgate teamwork telegram telnyx textmagic
  tiingo timezoneapi tmetric todoist tomorrowio tomtom transferwise travis trello twilio twitch twitter typeform
  uclassify unplugg unsplash uplead uploadcare upstage uptimerobot urlscan vercel versioneye vimeo virustotal
  visualcrossing vultr vyte wakatime walkscore wandb weatherstack webex weightsandbiases wepay wistia workos
  worldweather wrike xero yandex yelp youneedabudget zapier zendesk zenserp zerobounce zipcodeapi zoho zonka zoom
`
  .trim()
  .split(/\s+/)
/** The name of the service, other text about it on the line, and a separator or a word for a key in between. */
const VENDOR_BEFORE = new RegExp(`(?<![a-z])(?:${VENDORS.join('|')})([^\\n]{0,48})$`, 'i')
const LEADS_TO_VALUE =
  /[=:>,|][=>]?["'`\s(]{0,5}$|(?:key|token|secret|api|auth|pass(?:word)?|credential)s?\b[^\n]{0,24}$/i
const REACH = 72
/** Suffixes of a name whose value is public: `HEROKU_APP_ID`, `sentry_release`. */
const OPEN_NAME =
  /(?:id|sha|commit|hash|release|version|build|digest|url|uri|host|domain|region|dsn|ref|tag|name|user|email|page|cursor|file|path|image|checksum|revision|rev|etag)s?["'` ]*$/i
const VALUE = /(?<![\w+-])[A-Za-z0-9-][\w.+/|-]{13,}={0,2}/g
/** Machine-made, of a length that keys have: hex, UUIDs, or alternating letters and digits. */
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
      const between = VENDOR_BEFORE.exec(text.slice(Math.max(0, start - REACH), start))?.[1]
      if (between === undefined || !LEADS_TO_VALUE.test(between)) continue
      if (OPEN_NAME.test(between.replace(/[\s=:>,|"'`(]+$/, ''))) continue
      const value = match[0].replace(/[.:]+$/, '')
      if (!KEY_SHAPES.some(shape => shape.test(value)) || !isMixed(value) || isExample(value)) continue
      spans.push({ type: 'api_key', start, end: start + value.length })
    }
  }
  return spans
}

/** Letters and digits that alternate more often than in a name with a number or a date, or letters that are not a word. */
function isMixed(value: string): boolean {
  if (/^[A-Za-z]+$/.test(value)) return isRandomLetters(value)
  const turns = turnsOf(value)
  return turns >= 4 || (turns >= 1 && value.split(/[^A-Za-z]+/).some(isRandomLetters))
}
