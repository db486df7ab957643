import { mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it, vi } from 'vitest'
import { writeLines } from './believable-memory.ts'
import { inPage } from './page-world.ts'

const RUN = 'window.pwned=1'
/** Texts that have run scripts in other pages. */
const TEXTS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<a href="javascript:${RUN}">a link</a> [another](javascript:${RUN}) [third](JaVaScRiPt:${RUN})`,
  `[data](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==) [vb](vbscript:${RUN})`,
  `![picture](https://evil.example/pixel.png) ![x](x" onerror="${RUN})`,
  `<link rel=stylesheet href=https://evil.example/x.css><base href=https://evil.example/>`,
  `<form action=https://evil.example><button>Send</button></form><meta http-equiv=refresh content="0;url=https://evil.example">`,
  `<style>@import url(https://evil.example/x.css);*{background:url(https://evil.example/y)}</style>`,
  `\`\`\`html\n</code></pre><script>${RUN}</script>\n\`\`\``,
  `| a |\n|---|\n| <img src=x onerror=${RUN}> |`,
  `- [ ] <img src=x onerror="${RUN}">\n- [x] [tick](javascript:${RUN})`,
  `[[javascript:${RUN}]] [["><img src=x onerror=${RUN}>]]`,
  `<details open ontoggle="${RUN}"><input autofocus onfocus="${RUN}">`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  '{{constructor.constructor("window.pwned=1")()}}',
  `\u202Etxt.exe\u202C and \u0007 a bell`,
  `<template><script>${RUN}</script></template><noscript><img src=x onerror=${RUN}></noscript>`,
]

it('runs no code from entries, tags, file names or agent names', () =>
  inPage(
    async ({ page, faults, root, picture }) => {
      const elsewhere: string[] = []
      const home = new URL(page.url()).origin
      page.on('request', request => {
        if (!request.url().startsWith(home) && !/^(?:data|blob):/.test(request.url()))
          elsewhere.push(request.url())
      })
      let dialogs = 0
      page.on('dialog', dialog => {
        dialogs++
        void dialog.dismiss()
      })
      await page.evaluate(() => {
        const seen: string[] = []
        Object.assign(window, { violations: seen })
        document.addEventListener('securitypolicyviolation', event => seen.push(event.violatedDirective))
      })
      // Every tab, every entry, opened and edited.
      for (const tab of ['Decisions', 'Lessons', 'Tasks', 'Project', 'Handoffs']) {
        await page.getByRole('tab', { name: new RegExp(tab) }).click()
        await page.getByRole('article').first().waitFor()
        for (let at = 0; at < 6; at++) {
          // A key pressed while another tab loads opens nothing.
          await vi.waitFor(
            async () => {
              await page.keyboard.press('j')
              await page.keyboard.press('Enter')
              await page
                .getByRole('complementary', { name: 'Entry' })
                .getByText('Written by')
                .waitFor({ timeout: 6_000 })
            },
            { timeout: 60_000 },
          )
        }
        await page.keyboard.press('o')
        await page.keyboard.press('Escape')
        await page.keyboard.press('e')
        await page.getByRole('form', { name: 'Edit' }).waitFor()
        await page.keyboard.press('Escape')
      }
      await picture('vault-hostile')
      // As a search result, a filter and a link.
      await page.keyboard.press('/')
      await page.keyboard.type('script')
      await page.getByRole('button', { name: 'Everything' }).click()
      await page.locator('mark').first().waitFor()
      for (const link of [
        `#/vault?tags=${encodeURIComponent('"><img src=x onerror=window.pwned=1>')}`,
        `#/vault?agent=${encodeURIComponent('<script>window.pwned=1</script>')}`,
        `#/vault?entry=${encodeURIComponent('javascript:window.pwned=1')}`,
        `#/vault?kind=${encodeURIComponent('<svg onload=window.pwned=1>')}&q=${encodeURIComponent('<img src=x onerror=window.pwned=1>')}`,
      ]) {
        await page.evaluate(to => {
          location.hash = to
        }, link)
        await page.waitForTimeout(400)
      }
      // The project text, written by an editor.
      writeFileSync(path.join(root, '.memory', '_project.md'), TEXTS.join('\n\n'))
      await page.evaluate(() => {
        location.hash = '#/vault?tab=projects'
      })
      await page.getByText('third').first().waitFor()

      const links = await page
        .locator('a')
        .evaluateAll(all => all.map(link => (link as HTMLAnchorElement).protocol))
      expect(links.filter(protocol => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([])
      expect(
        await page
          .locator('main :is(script, iframe, object, embed, img, form[action], link, base, meta)')
          .count(),
      ).toBe(0)
      expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined()
      expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual(
        [],
      )
      expect(dialogs).toBe(0)
      expect(elsewhere).toEqual([])
      // The server rejects an agent with such a name, and an unknown entry.
      expect(faults.filter(fault => !/status of 4\d\d/.test(fault))).toEqual([])
    },
    {
      before: ({ run, home, root }) => {
        const categories = ['decisions', 'lessons', 'tasks', 'projects', 'handoffs']
        const lines = TEXTS.flatMap((text, at) =>
          [0, 2].map(step => ({
            text: step === 0 ? text : `Second ${at}: ${text}`,
            metadata: {
              category: categories[(at + step) % categories.length],
              agent: ['dev', 'x.onerror-1', 'con_structor', '__proto__'.replaceAll('_', 'p')][at % 4],
              kind: at % 3 === 0 ? '<img src=x onerror=window.pwned=1>' : 'warning',
              tags: [`"><img src=x onerror=${RUN}>`, 'javascript:window.pwned=1', `t${at}`],
              files: [
                `src/<img src=x onerror=${RUN}>.ts`,
                'javascript:window.pwned=1',
                '"><script>window.pwned=1</script>',
              ],
            },
          })),
        )
        run('import', writeLines(path.dirname(home), lines))
        // A folder that Cairn would not create, but a clone may contain.
        const folder = path.join(root, '.memory', 'a"><img src=x onerror=window.pwned=1>'.replaceAll('/', ''))
        mkdirSync(folder)
        writeFileSync(
          path.join(folder, 'decisions.md'),
          '# decisions\n\n## 2026-01-01T00:00\n\nFrom a strange folder.\n',
        )
      },
    },
  ))
