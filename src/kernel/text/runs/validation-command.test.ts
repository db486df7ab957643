import { describe, expect, it } from 'vitest'
import { splitShellLine } from './shell-line.ts'
import { validationOf } from './validation-command.ts'

/** Every command of a line: how it is displayed and what it checks. */
function checks(line: string): string[] {
  return splitShellLine(line).flatMap(({ words }) => {
    const found = validationOf(words)
    return found === undefined
      ? []
      : [
          `${found.check}: ${found.command}${found.selection.length > 0 ? ` [${found.selection.join(' ')}]` : ''}`,
        ]
  })
}

describe('a command line', () => {
  it.each([
    ['npm test', [['npm', 'test']]],
    [
      'cd x && FOO=1 BAR="a b" npm test -- -t "a && b" 2>&1 | tail -5',
      [
        ['cd', 'x'],
        ['npm', 'test', '--', '-t', 'a && b'],
        ['tail', '-5'],
      ],
    ],
    ['a; b || c & d', [['a'], ['b'], ['c'], ['d']]],
    ['npm test > out.txt 2>&1', [['npm', 'test']]],
    ['npm test &> out.txt', [['npm', 'test']]],
    [
      '(cd web && npm test)',
      [
        ['cd', 'web'],
        ['npm', 'test'],
      ],
    ],
    ["cat > a.ts <<'EOF'\nnpm test && rm x\nEOF\nnpm run lint", [['cat'], ['npm', 'run', 'lint']]],
    ['npm run \\\n  build # and more', [['npm', 'run', 'build']]],
    ['echo "unclosed', [['echo', 'unclosed']]],
    ['', []],
  ])('%j is taken apart', (line, words) => {
    expect(splitShellLine(line).map(command => command.words)).toEqual(words)
  })
})

describe('what checks the project', () => {
  it.each([
    ['npm test', 'test: npm test'],
    ['npm t', 'test: npm t'],
    ['npm run test:unit -- --reporter=dot src/a.test.ts', 'test: npm run test:unit [src/a.test.ts]'],
    ['npm run -s lint', 'lint: npm run -s lint'],
    ['npm --prefix web run build', 'build: npm --prefix web run build'],
    ['npm run test -w packages/api', 'test: npm run test -w packages/api'],
    ['pnpm --filter api test', 'test: pnpm --filter api test'],
    ['pnpm -r typecheck', 'types: pnpm -r typecheck'],
    ['pnpm vitest run', 'test: pnpm vitest run'],
    ['yarn workspace web lint', 'lint: yarn workspace web lint'],
    ['yarn jest --ci', 'test: yarn jest'],
    ['bun test', 'test: bun test'],
    ['npx vitest run src/a.test.ts -t "logs in"', 'test: npx vitest run [src/a.test.ts logs in]'],
    ['npx --yes vitest run --reporter verbose', 'test: npx vitest run'],
    ['node_modules/.bin/jest --watch=false', 'test: jest'],
    ['node --test test/', 'test: node --test [test/]'],
    ['npx playwright test e2e/login.spec.ts:12', 'test: npx playwright test [e2e/login.spec.ts:12]'],
    ['npx tsc --noEmit -p tsconfig.json', 'types: npx tsc --noEmit -p tsconfig.json'],
    ['eslint . --max-warnings 0', 'lint: eslint .'],
    ['npx @biomejs/biome check src', 'lint: npx @biomejs/biome check src'],
    ['npx prettier --check .', 'format: npx prettier --check .'],
    ['next build', 'build: next build'],
    ['pytest -q tests/test_auth.py::test_login -x', 'test: pytest [tests/test_auth.py::test_login]'],
    ['python -m pytest -k login', 'test: python -m pytest [login]'],
    ['poetry run pytest --tb=short', 'test: poetry run pytest'],
    ['uv run --frozen ruff check .', 'lint: uv run ruff check .'],
    ['ruff format --check .', 'format: ruff format --check .'],
    ['mypy --strict src', 'types: mypy --strict src'],
    ['tox -e py311', 'test: tox [py311]'],
    ['black --check .', 'format: black --check .'],
    ['python manage.py test accounts', 'test: python manage.py test [accounts]'],
    ['python3 -m unittest discover', 'test: python3 -m unittest [discover]'],
    ['cargo test --workspace', 'test: cargo test --workspace'],
    ['cargo nextest run', 'test: cargo nextest run'],
    ['cargo clippy --all-targets -- -D warnings', 'lint: cargo clippy --all-targets -D warnings'],
    ['cargo fmt --check', 'format: cargo fmt --check'],
    ['RUST_BACKTRACE=1 cargo build --release', 'build: cargo build --release'],
    ['go test ./... -run TestLogin -v', 'test: go test ./... [TestLogin]'],
    ['go vet ./...', 'lint: go vet ./...'],
    ['golangci-lint run', 'lint: golangci-lint run'],
    ['./gradlew :app:test --tests LoginTest', 'test: ./gradlew :app:test [LoginTest]'],
    ['gradle clean build', 'build: gradle clean build'],
    ['./gradlew ktlintCheck', 'lint: ./gradlew ktlintCheck'],
    ['mvn -B -q test -Dtest=LoginTest', 'test: mvn -B -q test [LoginTest]'],
    ['ktlint', 'lint: ktlint'],
    ['dotnet test --filter Login', 'test: dotnet test [Login]'],
    ['bundle exec rspec spec/login_spec.rb:12', 'test: bundle exec rspec [spec/login_spec.rb:12]'],
    ['bin/rails test', 'test: bin/rails test'],
    ['vendor/bin/phpunit --filter Login', 'test: vendor/bin/phpunit [Login]'],
    ['php artisan test', 'test: php artisan test'],
    ['mix test test/login_test.exs', 'test: mix test [test/login_test.exs]'],
    ['mix format --check-formatted', 'format: mix format --check-formatted'],
    ['make check', 'test: make check'],
    ['make -j4 test', 'test: make -j4 test'],
    ['just lint', 'lint: just lint'],
    ['nx test api', 'test: nx test [api]'],
    ['turbo run build', 'build: turbo run build'],
    ['swift test', 'test: swift test'],
    ['flutter analyze', 'types: flutter analyze'],
    ['ctest', 'test: ctest'],
    ['cmake --build build', 'build: cmake --build build'],
    ['terraform validate', 'lint: terraform validate'],
    ['./scripts/test.sh --fast', 'test: ./scripts/test.sh --fast'],
    ['bash', undefined],
    ['sudo time npm test', 'test: npm test'],
    ['timeout 60 npm test', 'test: npm test'],
    ['env CI=1 npm test', 'test: npm test'],
    ['cd /home/me/x && npm test 2>&1 | tail -20', 'test: npm test'],
  ])('%s', (line, expected) => {
    expect(checks(line)).toEqual(expected === undefined ? [] : [expected])
  })

  it.each([
    'ls -la',
    '.tool/scripts/check-setup.ps1 -Json',
    'cat test.txt',
    'grep -r test .',
    'npm install',
    'npm ci',
    'npm run dev',
    'npm start',
    'git commit -m "test"',
    'git checkout test',
    'eslint . --fix',
    'npx prettier --write .',
    'cargo fmt',
    'ruff format',
    'ruff check --fix .',
    'biome check --write',
    'npx vitest --watch',
    'jest --watch',
    'npm run lint:fix',
    'tsc --watch',
    'node script.js',
    'python script.py',
    'python manage.py migrate',
    'cargo run',
    'go run .',
    'docker build .',
    'npx tsc --version',
    'pytest --collect-only',
    'make install',
    'make',
    'npm view vitest',
    'rm -rf dist',
    'echo npm test',
    'vim src/test.ts',
    'mkdir test',
    'terraform apply',
    'dotnet run',
    'mvn clean',
    'rails server',
    'rails db:migrate',
  ])('%s checks nothing', line => {
    expect(checks(line)).toEqual([])
  })

  it('gives one key for a check, whatever starts it', () => {
    const keyOf = (line: string) => splitShellLine(line).map(({ words }) => validationOf(words)?.key)[0]
    expect(keyOf('npx vitest run a.test.ts')).toBe(keyOf('pnpm exec vitest run'))
    expect(keyOf('python -m pytest -x')).toBe(keyOf('poetry run pytest tests/test_a.py'))
    expect(keyOf('npm test')).not.toBe(keyOf('npm run lint'))
  })
})
