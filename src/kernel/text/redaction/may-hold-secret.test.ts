import { describe, expect, it } from 'vitest'
import { mayHoldSecret } from './may-hold-secret.ts'

describe('mayHoldSecret', () => {
  it.each([
    'We keep the old resolver: the geo header is wrong for Swiss customers. See src/lib/pricing/resolve.ts.',
    'Senha não pode ser logada; a rotina de recálculo fica em app/Services/RecalculoComissoesPorFilial.php',
    'fixed in 0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c, trace 0af7651916cd43dd8448eb211c80319c',
    'order 3c0f7c5e-2a3b-4a57-9a53-0f6a1fd0d2b2 on 2026-03-16T16:51:00.000Z, version 1.2.3-beta.4',
    'getUserProfileByIdV2WithCacheAndRetry3Times',
    'https://example.org/docs/guide/getting-started#install',
    'postgresql://[redacted:connection_string]@db.host:5432/app',
    'key [redacted:private_key] and STRIPE_KEY=[redacted:stripe_key]',
    '',
  ])('is false for %j', text => {
    expect(mayHoldSecret(text)).toBe(false)
  })

  it.each([
    'aK3mZ8qL1xW7vT5nR2bY9cD4eF6g',
    'https://app:secret@host/x',
    '-----BEGIN WHATEVER-----',
    'new_vendor_0f1e2d3c4b5a69788796a5b4c3d2e1f0',
    '_authToken=x',
  ])('is true for %j', text => {
    expect(mayHoldSecret(text)).toBe(true)
  })
})
