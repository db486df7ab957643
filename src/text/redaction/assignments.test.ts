import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

const reference = (name: string) => `$\{${name}}`

describe('secrets that are told by their name', () => {
  it.each([
    // environment and property files
    ['DB_PASSWORD=supersecret', 'DB_PASSWORD=[redacted:password]'],
    ['CERT_A1_SENHA=Xk9#vTz!2Lq8 e o banco', 'CERT_A1_SENHA=[redacted:password] e o banco'],
    ['JWT_SECRET="two words here"', 'JWT_SECRET="[redacted:secret]"'],
    ['FOO_SECRET_KEY=abc123', 'FOO_SECRET_KEY=[redacted:secret]'],
    ['DB_PASSWORD_PROD=Zx12', 'DB_PASSWORD_PROD=[redacted:password]'],
    ['TWILIO_AUTH_TOKEN=0f1e2d3c4b5a69788796a5b4c3d2e1f0', 'TWILIO_AUTH_TOKEN=[redacted:token]'],
    ['MAPS_KEY=aK3mZ8qL1xW7', 'MAPS_KEY=[redacted:api_key]'],
    ['spring.datasource.password=supersecret', 'spring.datasource.password=[redacted:password]'],
    ['A=1\\nDB_PASSWORD=Zx12!\\nB=2', 'A=1\\nDB_PASSWORD=[redacted:password]\\nB=2'],
    [`PW: ${'$'}{DB_PASSWORD:-Zx12ab}`, `PW: ${'$'}{DB_PASSWORD:-[redacted:password]}`],
    // YAML, JSON, XML, Terraform
    ['password: hunter2', 'password: [redacted:password]'],
    ['  POSTGRES_PASSWORD: supersecret\n', '  POSTGRES_PASSWORD: [redacted:password]\n'],
    ['- name: DB_PASSWORD\n  value: hunter22', '- name: DB_PASSWORD\n  value: [redacted:password]'],
    ['{"name":"API_TOKEN","value":"ab12cd34ef56"}', '{"name":"API_TOKEN","value":"[redacted:token]"}'],
    ['"password": "letmein"', '"password": "[redacted:password]"'],
    ['"password": "p@ss w0rd! x"', '"password": "[redacted:password]"'],
    ['{\\"password\\":\\"abc123xyz\\"}', '{\\"password\\":\\"[redacted:password]\\"}'],
    ['"apiKey": "AbCd1234EfGh5678"', '"apiKey": "[redacted:api_key]"'],
    ['client_secret: 8f3b2c1d-1234-4abc-9def-0123456789ab', 'client_secret: [redacted:secret]'],
    ['<password>Sup3rS3</password>', '<password>[redacted:password]</password>'],
    [
      'variable "db_password" { default = "Xy12zz!" }',
      'variable "db_password" { default = "[redacted:password]" }',
    ],
    ['password: czNjcjN0UEBzcw==', 'password: [redacted:password]'],
    ['password: correct-horse-battery-staple', 'password: [redacted:password]'],
    // code
    ['const dbPassword = "zebra-cage-99"', 'const dbPassword = "[redacted:password]"'],
    ["'password' => 'abc!def'", "'password' => '[redacted:password]'"],
    ["define('DB_PASSWORD', 'abc!123');", "define('DB_PASSWORD', '[redacted:password]');"],
    ['ds.setPassword("abc!123")', 'ds.setPassword("[redacted:password]")'],
    ['password: str = "abc!123"', 'password: str = "[redacted:password]"'],
    ["process.env.DB_PASSWORD || 'devpass1'", "process.env.DB_PASSWORD || '[redacted:password]'"],
    ['os.environ["API_KEY"] = "ab12cd34ef56"', 'os.environ["API_KEY"] = "[redacted:api_key]"'],
    // connection strings of other kinds
    [
      'Server=db;User ID=sa;Password=P@55w0rd;Encrypt=True',
      'Server=db;User ID=sa;Password=[redacted:password];Encrypt=True',
    ],
    [
      'jdbc:postgresql://h/db?user=a&password=abc1234&ssl=true',
      'jdbc:postgresql://h/db?user=a&password=[redacted:password]&ssl=true',
    ],
    [
      'psql "host=db password=pg_s3cret dbname=app"',
      'psql "host=db password=[redacted:password] dbname=app"',
    ],
    // options
    ['--password hunter2 --host x', '--password [redacted:password] --host x'],
    ['--password=hunter2', '--password=[redacted:password]'],
    ['--passphrase "two words"', '--passphrase "[redacted:password]"'],
    ['--from-literal=password=S3cr3tPw', '--from-literal=password=[redacted:password]'],
    ['-H "X-Api-Key: 0f1e2d3c4b5a69788796"', '-H "X-Api-Key: [redacted:api_key]"'],
    ['ENV PGPASSWORD hunter22', 'ENV PGPASSWORD [redacted:password]'],
    // chat, in English and Portuguese
    ['The password is Tr0ub4dor&3.', 'The password is [redacted:password].'],
    ['PASSWORD is x9Kq2', 'PASSWORD is [redacted:password]'],
    ['password for the admin user is S3cur3Pass', 'password for the admin user is [redacted:password]'],
    ['a senha é Abacaxi#2024', 'a senha é [redacted:password]'],
    ['a senha do banco de hml é qwe!123, ok?', 'a senha do banco de hml é [redacted:password], ok?'],
    ['senha do wifi: batata99', 'senha do wifi: [redacted:password]'],
    ['senha provisória: Mudar@123', 'senha provisória: [redacted:password]'],
    ['segue a senha do painel -> Abc12345 ok?', 'segue a senha do painel -> [redacted:password] ok?'],
    ['qual a senha? R: Zx12!abc', 'qual a senha? R: [redacted:password]'],
    ['usuário admin senha Xk9#vTz', 'usuário admin senha [redacted:password]'],
    ['minha senha: 12345678', 'minha senha: [redacted:password]'],
    ['a chave da API é 7f3k9d2m4x8p', 'a chave da API é [redacted:api_key]'],
    ['o token é ab12cd34ef56gh78', 'o token é [redacted:token]'],
    ['api key: 7f3k9d2m4x8p1q6z', 'api key: [redacted:api_key]'],
    // any literal after the name of a password
    ['password=xTQmOjqkZEgSkrBf', 'password=[redacted:password]'],
    ['client_secret=xTQmOjqkZEgSkrBf', 'client_secret=[redacted:secret]'],
    ['GITHUB_PAT=xTQmOjqkZEgSkrBf', 'GITHUB_PAT=[redacted:token]'],
    ['DB_PW=hunter', 'DB_PW=[redacted:password]'],
    ['DB_PASS=hunter', 'DB_PASS=[redacted:password]'],
    ['export DB_PASS=hunter', 'export DB_PASS=[redacted:password]'],
    ['db_pass = "letmein"', 'db_pass = "[redacted:password]"'],
    ['pw=letmein', 'pw=[redacted:password]'],
    ['pass: hunter2', 'pass: [redacted:password]'],
    ['passphrase=letmein', 'passphrase=[redacted:password]'],
    ['user: bob, password: letmein', 'user: bob, password: [redacted:password]'],
    ['PIN: 4821', 'PIN: [redacted:password]'],
    ['the PIN is 482193', 'the PIN is [redacted:password]'],
    ['secret: xTQmOjqkZEgSkrBf', 'secret: [redacted:secret]'],
    // marks, cells and blocks around it
    ['**Password:** Xk9vTz', '**Password:** [redacted:password]'],
    ['**Senha**: Xk9vTz', '**Senha**: [redacted:password]'],
    ['`password`: `letmein`', '`password`: `[redacted:password]`'],
    ['<b>Password:</b> Xk9vTz', '<b>Password:</b> [redacted:password]'],
    ['| DB_PASS | Xk9vTz |', '| DB_PASS | [redacted:password] |'],
    ['password: |\n  two words\n  more\nnext: 1', 'password: |\n  [redacted:password]\nnext: 1'],
    ['password:\n  hunter2', 'password:\n  [redacted:password]'],
    ['passwords:\n  - hunter2', 'passwords:\n  - [redacted:password]'],
    // who changed what
    ['I changed the password to Xk9vTz', 'I changed the password to [redacted:password]'],
    ['I set `DB_PASS` to `letmein`', 'I set `DB_PASS` to `[redacted:password]`'],
    ['the password has been changed to Xk9vTz.', 'the password has been changed to [redacted:password].'],
    ['troquei a senha pra Xk9vTz ontem', 'troquei a senha pra [redacted:password] ontem'],
    ['a senha é `letmein`', 'a senha é `[redacted:password]`'],
    ['la contraseña es Xk9vTz', 'la contraseña es [redacted:password]'],
    ['contraseña: Xk9vTz', 'contraseña: [redacted:password]'],
    ['la clave es Xk9vTz', 'la clave es [redacted:password]'],
    ['cambié la contraseña a Xk9vTz', 'cambié la contraseña a [redacted:password]'],
    ['das Passwort ist Xk9vTz', 'das Passwort ist [redacted:password]'],
    ['das Kennwort lautet Xk9vTz', 'das Kennwort lautet [redacted:password]'],
    ['das Passwort auf Xk9vTz geändert', 'das Passwort auf [redacted:password] geändert'],
    ['le mot de passe est Xk9vTz', 'le mot de passe est [redacted:password]'],
    ['mot de passe : Xk9vTz', 'mot de passe : [redacted:password]'],
    ['mdp: Xk9vTz', 'mdp: [redacted:password]'],
  ])('removes the value of %s', (text, expected) => {
    expect(redact(text).text).toBe(expected)
  })

  it.each([
    // prose
    'the password must be rotated every 90 days',
    'the password is wrong! and the token is expired',
    'the password is 12 characters long',
    'the password is stored SHA256-hashed',
    'a senha é obrigatória e a senha é criptografada com argon2id',
    'password: required',
    'password reset link expires in 24h',
    'token budget: 2000',
    'token ttl: 15min',
    'access token lifetime = 3600',
    'The auth token expires in 3600 seconds',
    'use --password to set it, --token is optional',
    'the key is to use v2',
    'tests pass 12345, pass: 42',
    'unexpected token: } at 12:34',
    // code
    'token = getToken()',
    'secret: process.env.X',
    'password = self.password',
    'connect(host=host, password=password, token=token)',
    'def login(user: str, password: str, token=None):',
    'passwd=sys.argv[2]',
    'password: string',
    'password: Optional[str]',
    'const { password, token } = req.body',
    'tokenizer = Tokenizer(vocab2)',
    'max_tokens=4096, token_count=12345678',
    'next_page_token: ab12cd34ef56',
    'cache_key=user_123_profile_v2',
    'primary_key: id1',
    'idempotency_key=3c0f7c5e-2a3b-4a57-9a53-0f6a1fd0d2b2',
    'getpass("Password: ")',
    'const secret = crypto.randomBytes(32)',
    'PASSWORD_MIN_LENGTH=12 SECRET_NAME=my-secret-1 KEY_ID=abc123def456',
    '<input type="password" name="user_password">',
    '"password": "Password is required"',
    'password: "Senha"',
    'CHALLENGE_PASSWORD: "challengePassword"',
    '"author": "J0hnDoe1990x"',
    'password = getPassword()',
    'password: SecretStr = Field(...)',
    'User(name=name, password=hashed, email=email)',
    'the password field moved to form2',
    'la contraseña es obligatoria',
    'das Passwort ist falsch',
    'le mot de passe est requis',
    'palabra clave: token2',
    'PASS: test_login_2',
    'pin: 12, pin 13 is high',
    'the pin is 3.3V',
    'pattern: v2, path: v3',
    'password:\n  required: true\n  min: 12',
    '| password | string | required |',
    // references and stand-ins
    `password=${reference('PASSWORD')}`,
    'PASSWORD=$DB_PASS',
    `token: $\{{ secrets.GITHUB_TOKEN }}`,
    'password: "{{ vault_db_password }}"',
    'password: <your-password>',
    'api_key = "your-api-key-here"',
    'password: xxx',
    'password: ****',
    'api_key=sk-...',
    'secret: my-app-tls-secret',
    'secret: /run/secrets/db_password1',
    'password: op://vault/item/password',
    'secret: arn:aws:secretsmanager:us-east-1:123456789012:secret:db-Xk9abc',
  ])('keeps %s', text => {
    expect(redact(text)).toEqual({ text, redacted: [] })
  })

  it('keeps changeme, which protects nothing, and removes changeme123, which may', () => {
    expect(redact('DB_PASSWORD=changeme').text).toBe('DB_PASSWORD=changeme')
    expect(redact('DB_PASSWORD=changemenow77x').text).toBe('DB_PASSWORD=[redacted:password]')
  })

  it('gives a token in an assignment the type of the token', () => {
    expect(redact(`STRIPE_SECRET_KEY=${'sk_test_'}51NaK3mZ8qL1xW7vT5nR2bY9cD4`).text).toBe(
      'STRIPE_SECRET_KEY=[redacted:stripe_key]',
    )
  })
})
