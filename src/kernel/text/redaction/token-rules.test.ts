import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'
import { MIN_RUN_LENGTH } from './runs.ts'
import { serviceFormats } from './token-formats.ts'

/** Written in two parts so that no scanner of this repository takes the made-up tokens for real ones. */
const token = (prefix: string, body: string) => prefix + body

const TOKENS: readonly [type: string, token: string][] = [
  ['aws_access_key', token('AKIA', 'Q7ZLM2X9RTW4KPB8')],
  ['aws_access_key', token('ASIA', 'Q7ZLM2X9RTW4KPB8')],
  ['github_token', token('ghp_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['github_token', token('gho_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['github_token', token('ghu_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['github_token', token('ghs_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['github_token', token('ghr_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['github_token', token('github_pat_', '11ABCDE2Y0aK3mZ8qL1xW7_vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8qL1x')],
  ['gitlab_token', token('glpat-', 'Zk3_x9QmTz4LkPw2RsVb')],
  ['cairn_token', token('cairn_', `5f0c1d2e3a4b5c6d_${'9f8e7d6c5b4a3021'.repeat(4)}`)],
  ['slack_token', token('xoxb-', '204811904411-aK3mZ8qL1xW7vT5nR2bY9cD4')],
  ['slack_token', token('xapp-', '1-A02ABC-204811904411-9f8e7d6c')],
  ['npm_token', token('npm_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['pypi_token', token('pypi-', 'AgEIcHlwaS5vcmcCJGFLM21aOHFMMXhXN3ZUNW5SMmJZ')],
  ['anthropic_key', token('sk-ant-', 'api03-aK3mZ8qL1xW7-vT5nR2bY9cD4eF6gH0jS1uPoAA')],
  ['openai_key', token('sk-', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['openai_key', token('sk-proj-', 'aK3mZ8qL1xW7_vT5nR2bY9cD4-eF6gH0jS1uPo')],
  ['google_api_key', token('AIza', 'SyB7nWc5yZ1uHs4EgD3kLm9pQr7TvX2-_bQ')],
  ['google_oauth_secret', token('GOCSPX-', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6g')],
  ['stripe_key', token('sk_live_', '51NaK3mZ8qL1xW7vT5nR2bY9cD4')],
  ['stripe_key', token('rk_test_', '51NaK3mZ8qL1xW7vT5nR2bY9cD4')],
  ['stripe_key', token('pk_live_', '51NaK3mZ8qL1xW7vT5nR2bY9cD4')],
  ['stripe_key', token('whsec_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6g')],
  ['sendgrid_key', token('SG.', 'aK3mZ8qL1xW7vT5nR2bY9c.D4eF6gH0jS1uPoaK3mZ8qL1xW7vT5nR2bY9cD4eF6gH')],
  ['twilio_key', token('AC', '0f1e2d3c4b5a69788796a5b4c3d2e1f0')],
  ['twilio_key', token('SK', '0f1e2d3c4b5a69788796a5b4c3d2e1f0')],
  ['telegram_token', token('719283746', ':AAGx9QmTz4LkPw2RsVb8YdEfGh1aK3mZ8qL')],
  ['huggingface_token', token('hf_', 'aKmZqLxWvTnRbYcDeFgHjSuPoaKmZqLxWv')],
  [
    'digitalocean_token',
    token('dop_v1_', '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0'),
  ],
  ['discord_token', token('MTA4', 'NzY1NDMyMTA5ODc2NTQz.Gx9QmT.aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['jwt', token('eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.x9QmTz4LkPw2RsVb8YdEfGh1')],
  ['private_key', token('LS0tLS1CRUdJTi', 'BSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3dJQkFBS0NBUUVB')],
  ['private_key', token('AGE-SECRET-', 'KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')],
  ['atlassian_token', token('ATATT3', 'xFfGF0aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0=1A2B3C4D')],
  ['databricks_token', token('dapi', '0f1e2d3c4b5a69788796a5b4c3d2e1f0')],
  ['docker_token', token('dckr_pat_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6')],
  ['figma_token', token('figd_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3m')],
  ['grafana_token', token('glsa_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS_0f1e2d3c')],
  ['groq_key', token('gsk_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8qL1xW7vT5n')],
  ['linear_token', token('lin_api_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['mailgun_key', token('key-', '0f1e2d3c4b5a69788796a5b4c3d2e1f0')],
  [
    'mercadopago_token',
    token('APP_USR-', '7192837465019283-031612-0f1e2d3c4b5a69788796a5b4c3d2e1f0-192837465'),
  ],
  ['newrelic_key', token('NRAK-', 'AK3MZ8QL1XW7VT5NR2BY9CD4EF6')],
  ['notion_token', token('ntn_', '71928374650aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uP')],
  ['sentry_token', token('sntrys_', 'eyJpYXQiOjE3MDAwMDB9_aK3mZ8qL1xW7vT5nR2bY9cD4')],
  ['shopify_token', token('shpat_', '0f1e2d3c4b5a69788796a5b4c3d2e1f0')],
  ['square_token', token('sq0atp-', 'aK3mZ8qL1xW7vT5nR2bY9c')],
  ['supabase_token', token('sbp_', '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c')],
  ['vault_token', token('hvs.', 'CAESIaK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')],
  ['vercel_token', token('vcp_', 'aK3mZ8qL1xW7vT5nR2bY9cD4')],
  [
    'github_token',
    token('ghs_', '719283_eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiI3MTkyODMifQ.x9QmTz4LkPw2RsVb8YdEfGh1'),
  ],
  ['slack_token', token('xapp-', '204811904411-A02ABCaK3mZ8qL1xW7')],
  ['google_oauth_secret', token('ya29.', 'aK3mZ8qL1xW7v')],
  ['stripe_key', token('pi_', '3NaK3mZ8qL1xW7vT5nR2bY9c_secret_D4eF6gH0jS1uPoaK3mZ8qL1xW')],
  ['atlassian_token', token('ATATT', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF+6gH0=1A2B3C4D')],
  ['figma_token', token('figp_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3m')],
  ['newrelic_key', token('nrak-', 'ak3mz8ql1xw7vt5nr2by9cd4ef6')],
  ['linear_token', token('lin_api_', 'aK3mZ8qL1xW7_T5nR2bY9cD4eF6gH0jS1uPo')],
  ['service_token', token('aio_', 'UfkT27x9QmTz4LkPw2RsVb8YdEfG')],
  [
    'service_token',
    token(
      'dt0c01.',
      'st2xk9qm4zl7pw2rsvb8ydef.gh1ak3mz8ql1xw7vt5nr2by9cd4ef6gh0js1upoak3mz8ql1xw7vt5nr2by9cd4ef6gh',
    ),
  ],
  [
    'service_token',
    token('patk3x9m2zq7vw4rt', '.9qmtz4lkpw2rsvb8ydefgh1ak3mz8ql1xw7vt5nr2by9cd4ef6gh0js1upoak3mz8'),
  ],
  ['service_token', token('live_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6')],
  ['service_token', token('pk_', 'K3mZ8q_0f1e2d3c4b5a69788796a5b4c3d2e1f01a')],
  ['service_token', token('pk_', 'aK3mZ8qL1xW7vT5nR2bY9c')],
  ['service_token', token('secret_', 'joyJ4dwhtX9mvhkI')],
  ['service_token', token('api_', '4rZbvWc8Yt2Qk9Lm1Xs7Pd.6Hj3Fg5Nw8Ku2Ta4Ve9Bq')],
  ['service_token', token('0f1e2d3c4b5a69788796a5b4', `:${'c3d2e1f00f1e2d3c'.repeat(4)}`)],
  [
    'service_token',
    token('TEST_API_KEY:', '0f1e2d3c4b5a69788796a5b4c3d2e1f0:9f8e7d6c5b4a39281706f5e4d3c2b1a0'),
  ],
  ['service_token', token('KEY', '018F3A5C7D9E1B2F4A6C8E0D2B4F6A8C_x9QmTz4LkPw2RsVb8YdEfGh1')],
  ['service_token', token('IGQV', 'JiukyyUHrfaDjB9UaG77gaQNPAI5p6bY8Tc4dh7FzCvRjaJZkqNk9ik')],
  ['service_token', token('RGAPI-', '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0')],
  ['service_token', token('unknown_live_', 'aK3mZ8qL1xW7vT5nR2bY9cD4')],
  ['service_token', token('scp-live-', '03b9e7d0d0024e4b8fccc1ffe923e899')],
  ['service_token', token('pplx-', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8qL1xW7')],
]

describe('tokens that their own shape identifies', () => {
  it.each(TOKENS)('removes %s from a sentence: %s', (type, secret) => {
    expect(redact(`use ${secret} for staging`).text).toBe(`use [redacted:${type}] for staging`)
  })

  it.each(TOKENS)('removes %s at the end of a sentence, in quotes and in backticks: %s', (type, secret) => {
    expect(redact(`It was "${secret}", now \`${secret}\` (${secret}).`).text).toBe(
      `It was "[redacted:${type}]", now \`[redacted:${type}]\` ([redacted:${type}]).`,
    )
  })

  it.each(TOKENS)('removes %s after an escaped line break: %s', (type, secret) => {
    expect(redact(`"log": "failed\\n${secret}\\nretrying"`).text).toContain(`[redacted:${type}]`)
  })

  it('removes a token that follows the colour code of a terminal', () => {
    expect(redact(`\u001b[32m${token('glpat-', 'Zk3_x9QmTz4LkPw2RsVb')}\u001b[0m`).text).toBe(
      '\u001b[[redacted:gitlab_token]\u001b[0m',
    )
  })

  it.each([
    [
      `https://hooks.slack.com/services/${token('T01ABCD2E', '/B03FGHI4J/aK3mZ8qL1xW7vT5nR2bY9cD4')}`,
      'https://hooks.slack.com/services/[redacted:slack_webhook]',
    ],
    [
      `https://discord.com/api/webhooks/${token('719283746501928374', '/aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS')}`,
      'https://discord.com/api/webhooks/[redacted:discord_webhook]',
    ],
    [
      `https://hooks.zapier.com/hooks/catch/${token('719283', '/b3k9x2m')}`,
      'https://hooks.zapier.com/hooks/catch/[redacted:webhook]',
    ],
    [
      `https://chat.shop.dev/hooks/${token('k3x9m2zq7v', 'w4rt8b1c6d5f0g2h')}`,
      'https://chat.shop.dev/hooks/[redacted:webhook]',
    ],
    [
      `${token('Atzr|', 'IwEBIaK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8q')} expires`,
      'Atzr|[redacted:service_token] expires',
    ],
    [
      `_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow-someone-to-log-in.|_${token('0F1E2D3C', '4B5A6978'.repeat(20))}`,
      '_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow-someone-to-log-in.|_[redacted:service_token]',
    ],
    [
      `$krb5asrep$23$bob@CORP.LOCAL:${token('2d7b7ff960f13e42', 'f70d45908eb22cf9')}$${'f25034884df9838a'.repeat(9)}`,
      '$krb5asrep$23$bob@CORP.LOCAL:2d7b7ff960f13e42f70d45908eb22cf9$[redacted:service_token]',
    ],
    [
      `DefaultEndpointsProtocol=https;AccountName=logs;AccountKey=${token('aK3mZ8qL1xW7vT5nR2bY9cD4', 'eF6gH0jS1uPo==')};EndpointSuffix=core.windows.net`,
      'DefaultEndpointsProtocol=https;AccountName=logs;AccountKey=[redacted:azure_key];EndpointSuffix=core.windows.net',
    ],
    [
      'https://logs.blob.core.windows.net/c/b.csv?sv=2022-11-02&sig=aK3mZ8qL1xW7vT5nR2bY9cD4%3D&se=2026-03-16',
      'https://logs.blob.core.windows.net/c/b.csv?sv=2022-11-02&sig=[redacted:azure_sas]&se=2026-03-16',
    ],
  ])('keeps the address around the secret part of %s', (text, expected) => {
    expect(redact(text).text).toBe(expected)
  })

  it('removes a random body behind the prefix of every format', () => {
    const kept = serviceFormats().filter(({ prefix, body, length }) => {
      const alphabet =
        { h: '0f1e2d3c4b5a69788796a5b4', u: 'K3MZ8QL1XW7VT5NR2BY9CD4E' }[body] ?? 'aK3mZ8qL1xW7vT5nR2bY9cD4'
      const secret = token(prefix, alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length))
      const text = `use ${secret} for staging`
      return secret.length >= MIN_RUN_LENGTH && redact(text).text === text
    })
    expect(kept).toEqual([])
  })

  /** Random letters: a body need not have a digit to be certain. */
  const LETTERS = 'xTQmOjqkZEgSkrBfWvNcYhDpLaUiRtGeXsKbZmQf'
  it.each([
    ['aws_access_key', token('AKIA', 'LWZGSCJOLLJBXGQI')],
    ['github_token', token('ghp_', LETTERS.slice(0, 36))],
    ['github_token', token('ghs_', LETTERS.slice(0, 36).toLowerCase())],
    ['gitlab_token', token('glpat-', LETTERS.slice(0, 20))],
    ['npm_token', token('npm_', LETTERS.slice(0, 36).toLowerCase())],
    ['openai_key', token('sk-proj-', LETTERS)],
    ['anthropic_key', token('sk-ant-api03-', LETTERS)],
    ['huggingface_token', token('hf_', LETTERS.slice(0, 34).toLowerCase())],
    ['slack_token', token('xoxb-', LETTERS.slice(0, 24))],
    ['vault_token', token('hvs.', LETTERS.slice(0, 24))],
    ['service_token', token('nvapi-', LETTERS + LETTERS)],
    ['service_token', token('tskey-api-', LETTERS.slice(0, 24))],
  ])('removes %s that has no digit: %s', (type, secret) => {
    expect(redact(`use ${secret} for staging`).text).toBe(`use [redacted:${type}] for staging`)
  })

  it.each([
    token('AKIA', 'IOSFODNN7EXAMPLE'),
    token('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'),
    token('sk_test_', '4eC39HqLyjWDarjtT1zdp7dc'),
    token(
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.',
      'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
    ),
    token('ghp_', 'x'.repeat(36)),
    token('AC', 'X'.repeat(32)),
    token('glpat-', 'your-access-token-here'),
    `https://hooks.slack.com/services/${token('T00000000/B00000000/', 'X'.repeat(24))}`,
  ])('keeps a key that documentation shows: %s', example => {
    const text = `the manual shows ${example} here`
    expect(redact(text)).toEqual({ text, redacted: [] })
  })

  it.each([
    'ASIAPACIFICNORTHEAST is a region',
    'github_pat_of_the_release_bot_account',
    'sl.some.long.dotted.name.of.a.module',
    'sk-learn-contrib-and-other-long-names',
    'npm_config_registry npm_package_version',
    'hf_hub_download_with_retries_and_cache',
    'AKIA is the prefix of an access key',
    'skeleton-loader-for-cards-2024',
    'fw_updateManagerServiceHandler and apk_sessionWorkerCommitRequestHandlerServiceUser',
    'STS.assumeRoleWithWebIdentity BSAuthenticationManagerFactory EXOPlayerSessionManagerClient',
    'retool_tablecommitclientcache npm_parserpaymentremotestream',
    'CONSTRAINT pk_sessionmanagersessionloader PRIMARY KEY',
    'EAAAinvoiceCacheParserTable client-invoiceCacheParserTableBufferRequestBranch',
    'deployed web-live-261ff2d3c425c8d99d19bdd0b6cc60d5d32cbe54 to prod',
    'The JWT header is eyJhbGciOiJIUzI1NiJ9 and says HS256',
  ])('leaves words that share a prefix: %s', text => {
    expect(redact(text)).toEqual({ text, redacted: [] })
  })
})
