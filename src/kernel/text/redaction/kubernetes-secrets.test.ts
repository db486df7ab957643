import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('Kubernetes Secrets', () => {
  it('removes every value of data and stringData, and keeps their names', () => {
    expect(
      redact(
        'apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  host: ZGIuaW50\n  "dsn": "aHVudGVyMg=="\nstringData:\n  app.ini: |\n    mode = dark\n    x = y\ntype: Opaque\n',
      ).text,
    ).toBe(
      'apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  host: [redacted:secret]\n  "dsn": "[redacted:secret]"\nstringData:\n  app.ini: |\n    [redacted:secret]\n    [redacted:secret]\ntype: Opaque\n',
    )
  })

  it('removes them from JSON', () => {
    expect(redact('{"kind": "Secret", "data": {"host": "ZGIuaW50", "n": "e30="}}').text).toBe(
      '{"kind": "Secret", "data": {"host": "[redacted:secret]", "n": "[redacted:secret]"}}',
    )
  })

  it('keeps the data of other kinds in the same file', () => {
    const text = 'kind: ConfigMap\ndata:\n  host: ZGIuaW50\n---\nkind: Secret\nmetadata:\n  name: db\n'
    expect(redact(text)).toEqual({ text, redacted: [] })
  })
})
