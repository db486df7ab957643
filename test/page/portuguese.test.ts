import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fileSaying } from '../support/vault-files.ts'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

const ENTRY = 'O importador tenta três vezes.'

/** Text nodes in English, except code and original messages of the server. */
const englishOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const english =
      /\b(?:the|is|are|was|were|be|cannot|not|and|it|its|of|with|nothing|this|that|there|from|have|has|lot|more|changed|moved|gone|left)\b/i
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const isOurs = node.parentElement?.closest('code, pre, script, option, [lang=en]') == null
      if (isOurs && english.test(text)) found.push(text)
    }
    return found
  })

/** A changed file that an entry names, a git conflict in the vault, and a project text that is too long. */
function haveTroubles({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  mkdirSync(path.join(root, 'src'))
  writeFileSync(path.join(root, 'src/importar.ts'), 'export const vezes = 3\n'.repeat(40))
  run('remember', ENTRY, '--kind', 'decision', '--files', 'src/importar.ts')
  run('edit', ENTRY, '--kind', 'warning')
  run('remember', 'As filas ficam no Redis.', '--kind', 'lesson')
  writeFileSync(path.join(root, 'src/importar.ts'), 'const outra = funcao(coisa)\n'.repeat(60))
  const memory = path.join(root, '.memory')
  writeFileSync(path.join(memory, '_project.md'), 'palavra '.repeat(3_000))
  appendFileSync(
    path.join(root, fileSaying(root, 'As filas ficam no Redis.')),
    '\n<<<<<<< HEAD\numa coisa\n=======\noutra coisa\n>>>>>>> ramo\n',
  )
}

it('translates failures, notices and reasons of the server into Portuguese', () =>
  inPage(
    async ({ page, url, faults, picture }) => {
      const go = async (place: string) => {
        await page.goto(`${url.split('#')[0]}#/${place}`)
        await page.reload()
      }
      await page.evaluate(() => localStorage.setItem('cairn-language', 'pt'))

      await go('vault?entry=nenhuma')
      await page.getByText('Esta entrada não existe, ou não existe mais.').waitFor()
      expect(await englishOn(page)).toEqual([])

      await go('graph?entity=ninguem')
      await page.getByText('Nenhuma entrada menciona isto.').waitFor()
      await picture('portuguese-failure')
      expect(await englishOn(page)).toEqual([])
      expect(await accessibilityFaults(page)).toEqual([])

      await go('health?tab=journal')
      await page
        .getByRole('button', { name: /^Desfazer: adicionar/ })
        .last()
        .click()
      await page.getByText('Isto não pode ser desfeito: algo mudou depois.').waitFor()
      await page.getByText('Mensagem do servidor:').waitFor()
      expect(await englishOn(page)).toEqual([])
      await picture('portuguese-detail')

      await go('health')
      await page.getByText('_project.md é longo demais').waitFor()
      await page.getByText('Há um conflito do git aqui.').waitFor()
      expect(await englishOn(page)).toEqual([])
      await picture('portuguese-health')

      await go('freshness')
      await page.getByText('a entrada não tem um commit', { exact: false }).waitFor()
      expect(await englishOn(page)).toEqual([])

      await go('state')
      await page.getByRole('heading', { name: 'Ainda não há estado' }).waitFor()
      expect(await englishOn(page)).toEqual([])
      await picture('portuguese-state')

      await go('brief?prompt=o importador tenta três vezes?')
      await page.getByText('Por que foi incluída').first().click()
      expect(await englishOn(page)).toEqual([])

      await go('review?part=stale')
      await page.getByRole('tab', { name: 'Obsoletas', selected: true }).waitFor()
      await page.getByText(ENTRY).first().waitFor()
      expect(await englishOn(page)).toEqual([])
      await picture('portuguese-review')
      // The browser logs refused requests.
      expect(faults.filter(fault => !fault.startsWith('Failed to load resource'))).toEqual([])
    },
    { before: haveTroubles },
  ))
