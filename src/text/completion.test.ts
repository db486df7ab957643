import { describe, expect, it } from 'vitest'
import { finishes, overcomes, reportsIn, saysFinished, topicOf } from './completion.ts'

const isFinished = (step: string, said: string) =>
  reportsIn(said).some(report => finishes(report, topicOf(step)))

describe('a step is finished', () => {
  it.each([
    ['Rotate the signing keys', 'Rotated the signing keys.'],
    ['Rotate the signing keys', 'The signing keys are rotated, restart the workers now.'],
    ['Rotate the signing keys', 'I have rotated the signing keys and all tests pass.'],
    ['Rotate the signing keys', 'Signing keys: done.'],
    ['Rotate the signing keys', 'Rotated the signing keys and reverted the hotfix.'],
    ['Rotate the signing keys', 'Done: rotate the signing keys, update the docs'],
    ['Update the docs', 'Done: rotate the signing keys, update the docs'],
    ['Rotate the signing keys', '- [x] Rotate the signing keys'],
    ['Rotate the signing keys', '✅ Rotate the signing keys'],
    ['We still need to rotate the signing keys', 'Finished rotating the signing keys'],
    ['Write the importer tests', 'The importer tests are written.'],
    ['Add CSV export to the invoices page', 'CSV export is in place on the invoices page.'],
    ['Migrate invoices to the new schema', 'Invoices are migrated.'],
    ['Fix the flaky login test', 'The flaky login test is fixed. It waited for the wrong event.'],
    ['Finish the export', 'The export and the import are done.'],
    ['Finish the import', 'The export and the import are done.'],
    ['I have not removed the legacy sender', 'Removed the legacy sender.'],
    ['The dashboard does not show the delay of the queue', 'The dashboard shows the delay of the queue now.'],
    ['Add paging to the invoice list', 'Paging of the invoice list is done: 50 rows a page.'],
    ['A migração das faturas ainda não está pronta', 'As faturas foram migradas para o novo esquema.'],
    ['Rotacionar as chaves de assinatura', 'Já rotacionei as chaves de assinatura.'],
    ['Falta migrar as faturas para o novo esquema', 'As faturas foram migradas para o novo esquema.'],
    ['Corrigir o teste de login', 'O teste de login está corrigido.'],
    ['Escrever os testes do importador', 'Os testes do importador estão prontos.'],
    ['Publicar a versão 2.1', 'A versão 2.1 está no ar.'],
  ])('%s ← %s', (step, said) => {
    expect(isFinished(step, said)).toBe(true)
  })
})

describe('a step is not finished', () => {
  it.each([
    ['Rotate the signing keys', 'The signing keys are not done yet.'],
    ['Rotate the signing keys', 'Rotating the signing keys is nowhere near done.'],
    ['Rotate the signing keys', 'The signing keys are almost finished.'],
    ['Rotate the signing keys', 'The signing keys are half done.'],
    ['Rotate the signing keys', 'Signing keys done? No.'],
    ['Rotate the signing keys', 'Signing keys rotated? no'],
    ['Rotate the signing keys', 'The signing keys were rotated but it broke, so I reverted it.'],
    ['Rotate the signing keys', 'Rotated the signing keys, then rolled back.'],
    ['Rotate the signing keys', 'The signing keys are rotated. It broke production and I reverted it.'],
    ['Rotate the signing keys', 'The signing keys were rotated by mistake and must be rotated again.'],
    ['Rotate the signing keys', 'The signing keys were supposed to be rotated.'],
    ['Rotate the signing keys', 'The signing keys are being rotated.'],
    ['Rotate the signing keys', 'The signing keys rotated unsuccessfully.'],
    ['Rotate the signing keys', 'The user asked whether the signing keys are rotated.'],
    ['Migrar as faturas antigas', 'As faturas antigas deveriam ter sido migradas.'],
    ['Migrar as faturas antigas', 'As faturas antigas foram migradas, mas desfiz tudo.'],
    ['Migrar as faturas antigas', 'As faturas antigas estão sendo migradas.'],
    ['Rotate the signing keys', 'The signing keys are rotated. No wait, only in staging.'],
    ['Rotate the signing keys', "The signing keys aren't rotated."],
    ['Rotate the signing keys', 'Once the signing keys are rotated we can deploy.'],
    ['Rotate the signing keys', 'The signing keys should be rotated by Friday.'],
    ['Rotate the signing keys', 'The signing keys will be rotated tomorrow.'],
    ['Rotate the signing keys', 'If the signing keys are rotated and the cache is cleared, deploy.'],
    ['Rotate the signing keys', 'I think the signing keys are rotated.'],
    ['Rotate the signing keys', 'Ana says the signing keys are rotated.'],
    ['Rotate the signing keys', 'The signing keys are 80% done.'],
    ['Rotate the signing keys', 'Rotated 3 of 5 signing keys.'],
    ['Rotate the signing keys', 'Rotated the signing keys except the one for billing.'],
    ['Rotate the signing keys', 'The signing keys are far from done.'],
    ['Rotate the signing keys', 'The signing keys are all but done.'],
    ['Rotate the signing keys', 'The signing keys are as good as done.'],
    ['Rotate the signing keys', 'Signing keys are rotated every month.'],
    ['Rotate the signing keys', 'Started on the signing keys, the docs are done.'],
    ['Rotate the signing keys', 'The docs are done, the signing keys are still open.'],
    ['Rotate the signing keys', 'The docs are done but the signing keys are not.'],
    ['Rotate the signing keys', 'I rotated the log files.'],
    ['Rotate the signing keys', 'The signing keys are in the vault now.'],
    [
      'The dashboard does not show the delay of the queue',
      'The dashboard should show the delay of the queue now.',
    ],
    ['Rotate the signing keys', '- [ ] Rotate the signing keys'],
    ['Rotate the signing keys', 'Need to get the signing keys done.'],
    ['Rotate the signing keys', 'The rotated signing keys were reverted.'],
    ['Migrate the invoices table to v2', 'The customers table is migrated to v2.'],
    ['Fix the flaky login test', 'The login test is still flaky, the logout test is fixed.'],
    ['Rotacionar as chaves de assinatura', 'As chaves de assinatura ainda não foram rotacionadas.'],
    ['Rotacionar as chaves de assinatura', 'As chaves de assinatura estão quase prontas.'],
    ['Rotacionar as chaves de assinatura', 'Falta rotacionar as chaves de assinatura.'],
    ['Rotacionar as chaves de assinatura', 'As chaves de assinatura estão longe de prontas.'],
    ['Rotacionar as chaves de assinatura', 'As chaves de assinatura ficam prontas amanhã.'],
    ['Rotacionar as chaves de assinatura', 'Quando as chaves de assinatura forem rotacionadas, publicamos.'],
    ['Rotacionar as chaves de assinatura', 'Acho que as chaves de assinatura foram rotacionadas.'],
    ['Rotacionar as chaves de assinatura', 'As chaves de assinatura estão meio prontas.'],
    ['Rotacionar as chaves de assinatura', 'Chaves de assinatura prontas? Não.'],
    ['Migrar as faturas', 'Metade das faturas foi migrada.'],
  ])('%s ← %s', (step, said) => {
    expect(isFinished(step, said)).toBe(false)
  })
})

describe('a trouble is over', () => {
  const isOver = (trouble: string, said: string) =>
    reportsIn(said).some(report => overcomes(report, topicOf(trouble)))
  it.each([
    ['The login test is flaky on CI', 'The flaky login test on CI is fixed.', true],
    ['The proxy drops idle sockets', 'The proxy no longer drops idle sockets.', true],
    ['O proxy derruba conexões ociosas', 'O proxy não derruba mais conexões ociosas.', true],
    ['The login test is flaky on CI', 'The flaky login test on CI is not fixed yet.', false],
    ['The login test is flaky on CI', 'The flaky logout test is fixed.', false],
    ['The proxy drops idle sockets', 'The proxy should no longer drop idle sockets.', false],
  ])('%s ← %s: %s', (trouble, said, expected) => {
    expect(isOver(trouble, said)).toBe(expected)
  })
})

describe('a statement of what is left', () => {
  it.each([
    ['Rotate the signing keys before June', false],
    ['The importer still fails on empty lines', false],
    ['Half of the endpoints are migrated', false],
    ['Waiting for the new certificate', false],
    ['Falta cobrir o caso de reembolso', false],
    ['Os pedidos precisam de um índice', false],
    ['The export is done', true],
    ['Migrated the invoices', true],
    ['Migrei as faturas para o novo esquema', true],
    ['We have fixed the login test', true],
  ])('%s: finished %s', (text, expected) => {
    expect(saysFinished(text)).toBe(expected)
  })
})
