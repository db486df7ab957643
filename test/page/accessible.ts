import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** The WCAG 2.2 A and AA violations that axe finds on the page, one line each. The goal is none. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Runs through the debugger, because the page's policy blocks scripts.
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(where: Document, options: object): Promise<{ violations: Violation[] }> }
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    return (await axe.run(document, { runOnly: { type: 'tag', values: tags } })).violations
  })
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} (${failureSummary ?? ''})`,
    ),
  )
}
