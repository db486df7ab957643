import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('mail addresses', () => {
  it.each([
    ['send it to ana.lima+ci@shop.com.br.', 'send it to [redacted:email].'],
    ['<joão.silva@shop.com.br>', '<[redacted:email]>'],
    ['mailto:ana@shop.co.uk?subject=hi', 'mailto:[redacted:email]?subject=hi'],
    ['"client_email":"ci@x.iam.gserviceaccount.com"', '"client_email":"[redacted:email]"'],
    ['backups/ana.lima@shop.com/2026.zip', 'backups/[redacted:email]/2026.zip'],
    ['/home/ana@shop.com.br/x', '/home/[redacted:email]/x'],
    ['/logs/user=bob.s%40shop.io/2026', '/logs/user=[redacted:email]/2026'],
    ['https://x.io/?text=by%20ana%40shop.io', 'https://x.io/?text=by%20[redacted:email]'],
    ['https://x.io/?email=ana@shop.io', 'https://x.io/?email=[redacted:email]'],
  ])('removes the address from %s', (text, expected) => {
    expect(redact(text).text).toBe(expected)
  })

  it.each([
    'git@github.com:org/repo.git',
    'git clone ssh://git@gitlab.com/g/p.git',
    'ssh -i ~/.ssh/id ana@web1.shop.com',
    'rsync -a dist/ ana@web1.shop.com:/var/www',
    'ana@example.com, bob@mail.example.org and eve@shop.test',
    'Co-Authored-By: Agent <noreply@shop.com>',
    'packages/tool@release.next/index.js',
    'https://ana@shop.com/path',
    'icon@2x.png and logo@3x.webp',
    '@scope/pkg and @scope/pkg@1.2.3',
    'lodash@4.17.21',
    'actions/checkout@v4.1.0',
    'ask @maria or @joao.silva',
    'systemctl restart app@8080.service',
    'W = a@b.transpose()',
    'image@sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
    'root@db.shop.com',
    'app@db.internal',
  ])('keeps text that is not a mailbox: %s', text => {
    expect(redact(text).text).toBe(text)
  })

  it('keeps addresses when they are switched off', () => {
    expect(redact('ana@shop.com', { emails: false }).text).toBe('ana@shop.com')
  })
})
