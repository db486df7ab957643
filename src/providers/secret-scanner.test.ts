import { describe, expect, it } from 'vitest'
import { redact } from '../kernel/text/redaction/redact.ts'
import { scanWithSecretlint } from './secret-scanner.ts'

/** Written in two parts so that no scanner of this repository takes the made-up tokens for real ones. */
const token = (prefix: string, body: string) => prefix + body

const GITHUB = token('ghp_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo')
const AWS_SECRET = token('h8Kd0QvX3mNp/2rLzYt6Bw9s', 'EfGjUaCi5oRxTq1W')

describe('scanWithSecretlint', () => {
  it('replaces what the library finds and says where it stood', async () => {
    expect(await scanWithSecretlint(`one\nuse ${GITHUB} here`)).toEqual({
      text: 'one\nuse [redacted:github_token] here',
      redacted: [{ type: 'github_token', line: 2, column: 5, length: 40 }],
    })
  })

  it('leaves none of an AWS secret, whose place the library reports as that of its name', async () => {
    const { text } = await scanWithSecretlint(
      `aws_secret_access_key          =          "${AWS_SECRET}" # rotate`,
    )
    expect(text).toBe('[redacted:aws_secret_key]" # rotate')
  })

  it('scans on after a comment that would switch the library off', async () => {
    const { text } = await scanWithSecretlint(`<!-- secretlint-disable -->\n${GITHUB}`)
    expect(text).toBe('<!-- secretlint-disable -->\n[redacted:github_token]')
  })

  it('keeps the placeholders of the first pass, also where they look like a password', async () => {
    const text = 'mongodb://[redacted:connection_string]@db.host/app and [redacted:private_key]'
    expect(await scanWithSecretlint(text)).toEqual({ text, redacted: [] })
  })

  it.each([
    `a word with ${token('x', GITHUB)} in it`,
    'mongodb://<user>:<password>@db.host/app',
    'postgres://$USER:$PASS@db.host/app',
  ])('keeps what is no secret: %s', async text => {
    expect(await scanWithSecretlint(text)).toEqual({ text, redacted: [] })
  })

  it('finds nothing in prose', async () => {
    const text = 'We keep the old resolver because the geo header is wrong for Swiss customers.'
    expect(await scanWithSecretlint(text)).toEqual({ text, redacted: [] })
  })

  it('leaves a text that our own redaction no longer changes', async () => {
    const { text } = await scanWithSecretlint(
      `${GITHUB} ${token('lin_api_', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS')}`,
    )
    expect(text).toBe('[redacted:github_token] [redacted:linear_token]')
    expect(redact(text).text).toBe(text)
  })
})
