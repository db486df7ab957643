import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('columns of secrets', () => {
  it('removes the cells below a heading that names a password, in a Markdown table', () => {
    expect(
      redact(
        '| user | password | role |\n|---|:-:|---|\n| bob | letmein | admin |\n| eve | `Tr0ub4dor` | dev |\n\nend',
      ).text,
    ).toBe(
      '| user | password | role |\n|---|:-:|---|\n| bob | [redacted:password] | admin |\n| eve | `[redacted:password]` | dev |\n\nend',
    )
  })

  it('removes them from comma-separated lines', () => {
    expect(redact('name,senha,idade\nana,Xk9vTz,30\nrui,abc123,31\n').text).toBe(
      'name,senha,idade\nana,[redacted:password],30\nrui,[redacted:password],31\n',
    )
  })

  it('removes them from an HTML table', () => {
    expect(
      redact('<tr><th>user</th><th>Passwort</th></tr>\n<tr><td>bob</td><td>letmein</td></tr>').text,
    ).toBe('<tr><th>user</th><th>Passwort</th></tr>\n<tr><td>bob</td><td>[redacted:password]</td></tr>')
  })

  it('keeps a table about passwords', () => {
    const text = '| feature | password | SSO |\n|---|---|---|\n| basic | yes | no |\n| team | optional | - |'
    expect(redact(text)).toEqual({ text, redacted: [] })
  })

  it('keeps a table of fields and their types', () => {
    const text = '| field | type |\n|---|---|\n| password | string |\n| token | JWT |'
    expect(redact(text)).toEqual({ text, redacted: [] })
  })
})
