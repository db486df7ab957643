import { describe, expect, it } from 'vitest'
import { shannonEntropy } from './randomness.ts'
import { redact } from './redact.ts'

describe('random strings that no rule knows', () => {
  it.each([
    ['use aK3mZ8qL1xW7vT5nR2bY9c to upload', 'use [redacted:high_entropy] to upload'],
    ['id: aK3mZ8qL1xW7vT5n_R2bY9cD4-eF6g', 'id: [redacted:high_entropy]'],
    ['AWS said h8Kd0QvX3mNp/2rLzYt6Bw9sEfGjUaCi5oRxTq1W to us', 'AWS said [redacted:aws_secret_key] to us'],
  ])('removes it: %s', (text, expected) => {
    expect(redact(text).text).toBe(expected)
  })

  it('removes base64 of a text that contains a secret', () => {
    const encoded = Buffer.from('{"user":"bob","password":"Tr0ub4dor&3"}').toString('base64')
    expect(redact(`state ${encoded} saved`).text).toBe('state [redacted:high_entropy] saved')
  })

  it('needs more than 20 characters', () => {
    expect(redact('aK3mZ8qL1xW7vT5nR2bY').text).toBe('aK3mZ8qL1xW7vT5nR2bY')
    expect(redact('aK3mZ8qL1xW7vT5nR2bY9').text).toBe('[redacted:high_entropy]')
  })

  it.each([
    ['aaaa', 0],
    ['abab', 1],
    ['abcd', 2],
  ])('measures the entropy of %s as %d bits per character', (text, bits) => {
    expect(shannonEntropy(text)).toBe(bits)
  })
})

describe('strings that look like secrets and are not', () => {
  it.each([
    ['a short git sha', '0f1e2d3c fix: default currency'],
    ['a full git sha', '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c'],
    ['a UUID', '3c0f7c5e-2a3b-4a57-9a53-0f6a1fd0d2b2'],
    ['a trace id', 'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ['an md5', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['a sha256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [
      'a lockfile digest',
      '"integrity": "sha512-aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8qL1xW7vT5nR2bY9cD4eF6g=="',
    ],
    ['a container digest', 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['a go.sum digest', 'golang.org/x/net v0.17.0 h1:aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8q='],
    ['an SSH fingerprint', 'SHA256:aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPoaK3mZ8q'],
    ['an SSH public key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIaK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo'],
    ['an image as a data URI', 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNaK3mZ8qL1xW7'],
    ['an image in base64', 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNaK3mZ8qL1xW7'],
    ['a cursor of a listing', 'eyJpZCI6MTI4MzQsImNyZWF0ZWQiOiIyMDI2LTAzLTE2VDE2OjUxOjAwWiJ9'],
    ['text in base64', 'V2Uga2VlcCB0aGUgb2xkIHJlc29sdmVyLCBzaW5jZSB0aGUgaGVhZGVyIGlzIHdyb25nLg=='],
    ['an IPFS CID', 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'],
    ['a newer IPFS CID', '/ipfs/bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/readme'],
    ['an Ethereum address', '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe'],
    ['hex colours', '#1A2B3C, #FF6F00 and #0a0b0c0d'],
    ['a long path', 'src/components/UserProfileSettings/ProfileHeaderWithAvatarV2.test.tsx'],
    ['a hashed file', 'dist/assets/static/index-BxK3j9Qz.js'],
    ['a Windows path', 'C:\\Users\\Ana\\AppData\\Local\\Programs\\Tool2024\\bin\\Tool64.exe'],
    ['a camelCase identifier', 'getUserProfileByIdV2WithCacheAndRetry3TimesOnHttp503'],
    ['a snake_case identifier', 'test_refund_is_idempotent_when_webhook_2_arrives_before_1'],
    ['a kebab-case identifier', 'nightly-quarantine-and-long-running-tests-2026'],
    ['a Java class', 'com.shop.payments.gateway.PixChargeReconciliationServiceImplTest$Builder2'],
    ['a pod name', 'checkout-api-7d9f8b6c5d-x2k4p'],
    ['a mangled symbol', '_ZN4core3ptr13drop_in_placeI7StringX9Qm3E'],
    ['a class list', 'hover:bg-blue-500/50 md:grid-cols-[1fr_2fr] text-[#1A2B3C]'],
    ['a Portuguese long word', 'inconstitucionalissimamente e anticonstitucionalissimamente'],
    ['a git ref', 'refs/heads/feature/ABC-1234-Add-New-Payment-Flow'],
    ['a package and version', '@scope/some-long-package-name@12.34.56-beta.7'],
    ['an ISO date', '2026-03-16T16:51:00.000Z to 20260316T165100Z'],
    ['a semantic version', '1.2.3-beta.4+build.20260316165100'],
    ['an IPv6 address', '2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
    ['a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['a cuid', 'cjld2cjxh0000qzrmn831i7rn'],
    ['an entry id', '1773679871839-k3f9'],
    ['a session of a host', 'ses_e21cf302affen17IgfiBrrLgFb'],
    ['a tool call of a host', 'toolu_01aK3mZ8qL1xW7vT5nR2bY9c'],
    ['the id of a build', '/_next/static/rpACWZ8lpcuXfuuWhSFNt/_buildManifest.js'],
    [
      'a weak ETag',
      'ETag: W/"b2fc-9PclO1dSVzi0AAPRbDtPW+EnQtk" and If-None-Match: W/"6wrkLrrBZcLlFjX9tqokbZYzzHQa"',
    ],
    ['an id in a URL', 'https://docs.example.org/d/1aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS/edit'],
    [
      'a Kubernetes certificate',
      'client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURJVENDQWdtZ0F3',
    ],
  ])('keeps %s', (_, text) => {
    expect(redact(text)).toEqual({ text, redacted: [] })
  })
})
