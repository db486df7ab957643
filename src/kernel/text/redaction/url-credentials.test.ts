import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('credentials in URLs', () => {
  it.each([
    [
      'postgresql://app:Rt5kW2@db.host:5432/app',
      'postgresql://[redacted:connection_string]@db.host:5432/app',
    ],
    ['redis://:Rt5kW2@cache.dev:6379/0', 'redis://[redacted:connection_string]@cache.dev:6379/0'],
    ['mysql://up:s3%40cr%2Fet@10.0.0.8:3306/m', 'mysql://[redacted:connection_string]@10.0.0.8:3306/m'],
    ['amqp://svc:N0t!a#real/pw@mq:5672/v', 'amqp://[redacted:connection_string]@mq:5672/v'],
    ['postgres://app:p@ss@db:5432/x', 'postgres://[redacted:connection_string]@db:5432/x'],
    [
      'mongodb+srv://u:Rt5kW2@c0.x.mongodb.net/t?w=1',
      'mongodb+srv://[redacted:connection_string]@c0.x.mongodb.net/t?w=1',
    ],
    ['https://oauth2:Rt5kW2zz@gitlab.com/g/p.git', 'https://[redacted:connection_string]@gitlab.com/g/p.git'],
    [
      'https://0f1e2d3c4b5a69788796a5b4@o1.ingest.sentry.io/2',
      'https://[redacted:connection_string]@o1.ingest.sentry.io/2',
    ],
    ['smtp://reports:Jq8!rTn4@mail.shop.com:587', 'smtp://[redacted:connection_string]@mail.shop.com:587'],
    ['postgres://postgres:postgres@localhost/app', 'postgres://[redacted:connection_string]@localhost/app'],
  ])('keeps scheme and host of %s', (url, expected) => {
    expect(redact(`the url is ${url}, use it`).text).toBe(`the url is ${expected}, use it`)
  })

  it('removes the credentials of a database URL after its variable', () => {
    expect(redact('DATABASE_URL="postgres://app:Rt5kW2@db/app?sslmode=require"').text).toBe(
      'DATABASE_URL="postgres://[redacted:connection_string]@db/app?sslmode=require"',
    )
  })

  it.each([
    'https://example.org:8443/a/b@c?x=1',
    'http://localhost:3000/users/@me',
    'https://unpkg.com/react@18.2.0/umd/react.js',
    'https://medium.com/@someone/a-post',
    'http://[::1]:3000/a@b',
    'ssh://git@github.com/org/repo.git',
    'postgresql://app@db/app',
    'postgres://user:password@localhost:5432/db',
    'postgres://$' + '{DB_USER}:$' + '{DB_PASS}@host/db',
    'https://<user>:<token>@host/x',
    'postgres://user:****@host/db',
    'https://docs.example.org/d/1aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS/edit#heading',
  ])('keeps a URL without credentials: %s', url => {
    expect(redact(url).text).toBe(url)
  })
})
