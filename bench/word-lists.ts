/**
 * Real words for the synthetic corpus. The function words are also words that a search leaves out, so a question's
 * content words are exactly what a plain full-text query has to look up.
 */
const FUNCTION_WORDS_EN = `the the the the of of of to to to and and and in in a a a is is it that for for on on with with
we we our this not not be are was as at by from when because so only must should can will has have if then than but or
after before into over under there their they you your do does did no all each both more most same such until while which
what how why where who i its these those had been would could may`

const FUNCTION_WORDS_PT = `de de de a a o o que que e e do do da da em em um uma para para com com não não os as no na por
mais como mas foi ao ele das dos ser quando muito nos já está também só pelo pela até isso entre era depois sem mesmo aos
seus quem nas esse eles você essa num nem suas meu às minha numa qual nós deles esta este porque onde cada todo todos`

const TECHNICAL_WORDS_EN = `error test server client request response cache index query table column schema migration
deploy release branch commit merge build pipeline worker queue job task retry timeout latency token session cookie header
route handler middleware controller model view component state store reducer hook effect render layout style theme button
form field input validation parser compiler runtime thread process memory heap stack pointer buffer stream socket protocol
packet proxy gateway balancer cluster node replica shard partition leader follower consensus snapshot backup restore log
metric trace span alert dashboard incident rollback feature flag experiment config secret key certificate permission role
user account tenant invoice payment refund ledger currency rounding webhook event listener publisher subscriber topic
broker consumer producer batch cron schedule lock mutex deadlock race transaction isolation constraint foreign trigger
procedure function method class interface type generic enum union struct trait module package dependency version lockfile
registry mirror bundle chunk loader plugin lint format fixture mock stub snapshot coverage assertion benchmark profile
flame hotspot regression flaky suite runner container image volume network port firewall subnet domain resolver address
certificate handshake cipher hash salt digest signature encryption upload download attachment thumbnail storage bucket
object prefix locale translation timezone calendar date clock offset cursor page filter sort search ranking relevance
stemmer tokenizer embedding vector distance graph edge vertex tree leaf root path folder file line encoding unicode
emoji keyboard shortcut accessibility contrast focus dialog modal tooltip menu sidebar toolbar icon font animation scroll
viewport breakpoint grid canvas shader texture sprite camera sensor battery bluetooth firmware bootloader interrupt
register kernel driver device emulator simulator notification permission onboarding login signup password captcha limit
quota throttle backoff jitter circuit breaker fallback default override environment staging production sandbox preview
draft review approval comment diff patch hunk rebase cherry bisect tag changelog license readme guide tutorial example`

const TECHNICAL_WORDS_PT = `erro teste servidor cliente pedido resposta consulta tabela coluna esquema migração implantação
versão ramo fila tarefa tentativa prazo latência sessão cabeçalho rota componente estado tela botão campo entrada validação
memória processo fluxo conexão conta fatura pagamento estorno saldo moeda arredondamento evento mensagem lote agenda trava
transação restrição chave certificado permissão usuário senha acesso arquivo pasta linha registro painel alerta incidente
ambiente produção rascunho revisão comentário exemplo cobertura desempenho limite cota padrão página filtro ordenação busca
relatório cálculo imposto boleto conciliação extrato lançamento cadastro endereço aviso bloqueio reserva estoque envio`

export const FUNCTION_WORDS = { en: words(FUNCTION_WORDS_EN), pt: words(FUNCTION_WORDS_PT) } as const
export const TECHNICAL_WORDS = {
  en: unique(words(TECHNICAL_WORDS_EN)),
  pt: unique(words(TECHNICAL_WORDS_PT)),
} as const

/** How a question may begin. Every word of them is a function word. */
export const OPENINGS = {
  en: [
    'why do we',
    'how does the',
    'what was it about the',
    'where is the',
    'which of the',
    'when did we',
    'should we',
    'what about',
  ],
  pt: ['por que', 'como está o', 'onde está a', 'qual era o', 'quando foi', 'e como é que'],
} as const

function words(list: string): string[] {
  return list.trim().split(/\s+/)
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)]
}
