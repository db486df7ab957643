import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

const LINE_A = 'MIIEaK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8qL1xW7vT5nR2bY9cD4'
const LINE_B = 'b3BlbnNzaK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8qL1xW7vT5nR2bY'

const begin = (kind: string) => `-----BEGIN ${kind}-----`
const end = (kind: string) => `-----END ${kind}-----`

describe('private keys', () => {
  it.each([
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'DSA PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])('removes a whole %s', kind => {
    expect(redact(`before\n${begin(kind)}\n${LINE_A}\n${LINE_B}\nab==\n${end(kind)}\nafter`).text).toBe(
      'before\n[redacted:private_key]\nafter',
    )
  })

  it('removes an encrypted key with its headers', () => {
    const text = `${begin('RSA PRIVATE KEY')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F1E2D3C\n\n${LINE_A}\n${end('RSA PRIVATE KEY')}`
    expect(redact(text).text).toBe('[redacted:private_key]')
  })

  it('removes a key that was cut before its END line, and keeps the sentence after it', () => {
    expect(redact(`${begin('RSA PRIVATE KEY')}\n${LINE_A}\n${LINE_B}\nthen the log stops`).text).toBe(
      '[redacted:private_key]\nthen the log stops',
    )
  })

  it('removes a key on one line with escaped line breaks', () => {
    expect(redact(`KEY="${begin('EC PRIVATE KEY')}\\n${LINE_A}\\n${end('EC PRIVATE KEY')}\\n"`).text).toBe(
      'KEY="[redacted:private_key]\\n"',
    )
  })

  it('removes a cut key with doubly escaped line breaks', () => {
    expect(redact(`{\\"key\\":\\"${begin('PRIVATE KEY')}\\\\n${LINE_A}\\\\n${LINE_B}`).text).toBe(
      '{\\"key\\":\\"[redacted:private_key]',
    )
  })

  it('removes key and address from a service account file and keeps its ids', () => {
    const text = `{"type":"service_account","private_key_id":"0f1e2d3c4b5a","private_key":"${begin('PRIVATE KEY')}\\n${LINE_A}\\n${end('PRIVATE KEY')}\\n","client_email":"ci@shop.iam.gserviceaccount.com","client_id":"7192837465"}`
    expect(redact(text).text).toBe(
      '{"type":"service_account","private_key_id":"0f1e2d3c4b5a","private_key":"[redacted:private_key]","client_email":"[redacted:email]","client_id":"7192837465"}',
    )
  })

  it("removes the private lines of PuTTY's format", () => {
    expect(
      redact(`Public-Lines: 1\nAAAA\nPrivate-Lines: 2\n${LINE_A}\n${LINE_B}\nPrivate-MAC: 0f1e`).text,
    ).toBe('Public-Lines: 1\nAAAA\nPrivate-Lines: 2\n[redacted:private_key]\nPrivate-MAC: 0f1e')
  })

  it.each([
    `we look for ${begin('PRIVATE KEY')} in every file`,
    `${begin('PRIVATE KEY')}\n...\n${end('PRIVATE KEY')}`,
    `${begin('CERTIFICATE')}\n${LINE_A}\n${end('CERTIFICATE')}`,
    `${begin('PUBLIC KEY')}\n${LINE_A}\n${end('PUBLIC KEY')}`,
  ])('keeps text without a private key: %s', text => {
    expect(redact(text).text).toBe(text)
  })
})
