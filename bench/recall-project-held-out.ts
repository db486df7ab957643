import type { ScriptedProject } from './recall-projects.ts'

/** Written after the rules, and only counted: what the bundle says of it is not looked at when rules are changed. */
export const HELD_OUT_PROJECT: ScriptedProject = {
  name: 'held out: a mobile backend in Go',
  files: {
    'go.mod': 'module example.com/pushd\n',
    'cmd/pushd/main.go': '',
    'internal/queue/queue.go': '',
    Makefile: 'test:\n\tgo test ./...\nvet:\n\tgo vet ./...\n',
  },
  steps: [
    {
      remember:
        'Apple rejects pushes whose payload is above 4 KB without an error; check the size before sending.',
      kind: 'warning',
      day: 0,
    },
    { remember: 'Device tokens are stored in Redis.', kind: 'decision', day: 0 },
    { task: 'Raise the file descriptor limit on the workers', day: 0 },
    { task: 'Remove the legacy GCM sender', day: 1 },
    {
      session: 'p1',
      day: 2,
      said: [
        ['user', 'Pushes to Android arrive hours late since Monday. Find out why.'],
        [
          'agent',
          'The cause is the backoff: after a 503 the sender sleeps up to six hours and never resets the delay.',
        ],
        ['user', 'Cap the backoff at five minutes. We never sleep longer than that.'],
        [
          'agent',
          'Capped it at five minutes in internal/queue/backoff.go. I have not removed the legacy GCM sender. Still open: the dashboard does not show the delay of the queue.',
        ],
      ],
      runs: [
        { edits: ['internal/queue/backoff.go'] },
        {
          command: 'go test ./...',
          ok: false,
          output: '--- FAIL: TestBackoff (0.00s)\n    backoff_test.go:31: got 6h0m0s, want 5m0s',
        },
        { command: 'go test ./...', ok: true, output: 'ok' },
      ],
    },
    {
      session: 'p2',
      day: 4,
      said: [
        ['user', 'Move the device tokens out of Redis, the restarts lose them.'],
        [
          'agent',
          'Redis evicts device tokens under memory pressure because maxmemory-policy is allkeys-lru.',
        ],
        ['user', 'Device tokens are no longer stored in Redis, we store them in PostgreSQL from now on.'],
        [
          'agent',
          'The tokens live in PostgreSQL now. The backfill of old tokens is almost finished, 80% are copied.',
        ],
      ],
      runs: [
        { edits: ['internal/tokens/store.go', 'internal/tokens/backfill.go'] },
        { command: 'go vet ./...', ok: true },
        { command: 'go test ./...', ok: true },
      ],
    },
    {
      session: 'p3',
      day: 6,
      said: [
        ['user', 'Please remove the legacy GCM sender and show the delay of the queue on the dashboard.'],
        [
          'agent',
          'Removed the legacy GCM sender. The dashboard shows the delay of the queue now, that part is done.',
        ],
        ['user', 'Great. Next week: load test the token store with a million devices.'],
        [
          'agent',
          'Noted. Be careful, the staging database has only two connections, a load test there starves the API.',
        ],
      ],
      runs: [
        { edits: ['internal/gcm/sender.go', 'web/dashboard.ts'] },
        { command: 'go test ./...', ok: true },
        { command: 'git status', ok: true },
      ],
    },
  ],
  expected: {
    currentFocus: {
      must: ['gcm dashboard', 'tokens'],
      may: ['android late', 'five minutes', 'postgresql', 'load test'],
      wrong: ['tokens are stored in redis'],
    },
    gotchas: {
      must: ['4 kb', 'staging two connections', 'backoff 503'],
      may: ['redis evicts', 'five minutes', 'six hours'],
      wrong: ['got 6h0m0s', 'testbackoff'],
    },
    nextSteps: {
      must: ['file descriptor', 'load test'],
      may: ['backfill'],
      wrong: ['gcm', 'dashboard'],
    },
    validationCommands: { must: ['go test', 'go vet'], wrong: ['git status'] },
  },
}
