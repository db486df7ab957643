import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('secrets that the command or header around them identifies', () => {
  it.each([
    ['Authorization: Bearer 8d7f6a5b4c3d2e1f', 'Authorization: Bearer [redacted:authorization]'],
    ["{'Authorization': 'Bearer 8d7f6a5b4c3d2e1f'}", "{'Authorization': 'Bearer [redacted:authorization]'}"],
    [
      'curl -H "authorization: token 8d7f6a5b4c3d"',
      'curl -H "authorization: token [redacted:authorization]"',
    ],
    ['Authorization: Basic YWRtaW46aHVudGVyMg==', 'Authorization: Basic [redacted:authorization]'],
    ['sent basic YWRtaW46aHVudGVyMg== again', 'sent basic [redacted:authorization] again'],
    ['Cookie: sid=s%3AaK3mZ8qL1xW7vT5n.R2bY; theme=dark', 'Cookie: [redacted:authorization]'],
    ['curl -u admin:hunter https://x.io', 'curl -u admin:[redacted:password] https://x.io'],
    ['mysql -u root -pS3cr3t! app', 'mysql -u root -p[redacted:password] app'],
    ["mysqldump -uroot -p'two words' app", "mysqldump -uroot -p'[redacted:password]' app"],
    ['mongosh --host h -u app -p hunter22 db', 'mongosh --host h -u app -p [redacted:password] db'],
    ['redis-cli -h cache -a f00b4r99 ping', 'redis-cli -h cache -a [redacted:password] ping'],
    ['docker login -u bob -p Hunter2xyz ghcr.io', 'docker login -u bob -p [redacted:password] ghcr.io'],
    ["sshpass -p 'abc' ssh ana@host", "sshpass -p '[redacted:password]' ssh ana@host"],
    ['PGPASSWORD=pgpw psql -h localhost', 'PGPASSWORD=[redacted:password] psql -h localhost'],
    [
      'echo "s3cr3t" | docker login --password-stdin',
      'echo "[redacted:password]" | docker login --password-stdin',
    ],
    ["CREATE USER app IDENTIFIED BY 'letmein';", "CREATE USER app IDENTIFIED BY '[redacted:password]';"],
    ["ALTER ROLE app WITH PASSWORD 'letmein';", "ALTER ROLE app WITH PASSWORD '[redacted:password]';"],
    ['machine api.x.io login bob password hunter', 'machine api.x.io login bob password [redacted:password]'],
    ['openssl rsa -passin pass:hunter -in k.pem', 'openssl rsa -passin pass:[redacted:password] -in k.pem'],
    ['jdbc:oracle:thin:scott/tiger@//h:1521/x', 'jdbc:oracle:thin:[redacted:connection_string]@//h:1521/x'],
    [
      '//packages.example.com/:_authToken=0f1e2d3c-4b5a',
      '//packages.example.com/:_authToken=[redacted:npm_token]',
    ],
    ['credentials: admin / P4ssw0rd!', 'credentials: admin / [redacted:password]'],
    ['login: ana@shop.com / Trocar@123', 'login: [redacted:email] / [redacted:password]'],
    ['Authorization: Bearer xTQmOjqkZEgSkrBfWv', 'Authorization: Bearer [redacted:authorization]'],
    ['db.host:5432:app:bob:letmein', 'db.host:5432:app:bob:[redacted:password]'],
    ['*:*:*:bob:letmein', '*:*:*:bob:[redacted:password]'],
    ['sign in as bob:Tr0ub4dor&3', 'sign in as bob:[redacted:password]'],
    ['use admin:letmein9 there', 'use admin:[redacted:password] there'],
    ['use Xk9vTz7q as the password', 'use [redacted:password] as the password'],
    ['nimm Xk9vTz7q als Passwort', 'nimm [redacted:password] als Passwort'],
    ['log in as bob with Xk9vTz7q', 'log in as bob with [redacted:password]'],
    ["auth=('bob', 'letmein')", "auth=('bob', '[redacted:password]')"],
    ['echo letmein | sudo -S ls', 'echo [redacted:password] | sudo -S ls'],
    ['Flamengo10! é a senha', '[redacted:password] é a senha'],
    ['Tr0ub4dor&3 is the password', '[redacted:password] is the password'],
  ])('removes the secret of %s', (text, expected) => {
    expect(redact(text).text).toBe(expected)
  })

  it.each([
    'Bearer authentication and Basic authentication',
    'Authorization: Bearer <token>',
    'Authorization: Bearer $TOKEN',
    'Authorization: required',
    'docker run -u 1000:1000 -p 8080:80 app',
    'psql -h localhost -p 5432 -U app',
    'mysql -h db -P 3306 -p app',
    'curl -u "$USER:$PASS" https://x.io',
    'login with github2 and OAuth, sign in with your account',
    'use sha256 as the password hash',
    'Authorization: Bearer authentication',
    'Authorization: Bearer accessToken',
    'node:20.11-alpine and postgres:16.2, see main.ts:120',
    'root:x:0:0:root:/root:/bin/bash',
    'login screen: see docs/login or src/auth',
    'Cookie: theme=dark',
  ])('keeps %s', text => {
    expect(redact(text)).toEqual({ text, redacted: [] })
  })
})
