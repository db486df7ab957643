import type { Category } from '../src/model/category.ts'

/** `keep` is what a person would have kept of a message; `trap` a part of it that must not be kept. */
export interface SampleMessage {
  readonly role: 'user' | 'agent' | 'tool'
  readonly text: string
  readonly keep?: Category
  readonly trap?: string
}

export interface SampleConversation {
  readonly name: string
  /** The rules were tuned on `dev`; the other half was labelled before the rules were written and is only counted. */
  readonly half: 'dev' | 'held-out'
  readonly messages: readonly SampleMessage[]
}

export const user = (text: string, label: Pick<SampleMessage, 'keep' | 'trap'> = {}): SampleMessage => ({
  role: 'user',
  text,
  ...label,
})
export const agent = (text: string, label: Pick<SampleMessage, 'keep' | 'trap'> = {}): SampleMessage => ({
  role: 'agent',
  text,
  ...label,
})
export const tool = (text: string, label: Pick<SampleMessage, 'keep' | 'trap'> = {}): SampleMessage => ({
  role: 'tool',
  text,
  ...label,
})

/** Written by us, in domains of their own, and labelled before a rule was run on them. */
export const DISTILL_SAMPLE: readonly SampleConversation[] = [
  {
    name: 'greenhouse sensors',
    half: 'dev',
    messages: [
      user('the humidity chart has gaps every night around two, any idea?'),
      agent('Let me look at the collector first.'),
      tool(
        '2026-04-02 02:00:01 INFO collector: rotating log\n2026-04-02 02:00:04 ERROR mqtt: keepalive expired',
      ),
      agent(
        'Turns out the log rotation stops the collector with SIGHUP, and paho does not reconnect after that unless loop_start() is called again.',
        { keep: 'lessons' },
      ),
      user('ah, so not the sensors. I was about to throw them out haha', { trap: 'throw them out' }),
      agent('Should I switch rotation to copytruncate, or handle SIGHUP in the collector?'),
      user('copytruncate please. And no daemon of ours handles SIGHUP itself, that is what systemd is for.', {
        keep: 'decisions',
      }),
      agent('Changed /etc/logrotate.d/collector. Restarting it now.'),
      tool('collector.service: active (running)'),
      user('maybe we should move to influx one day', { trap: 'move to influx' }),
      agent(
        'Possible. The gaps of March are still in the database; backfilling them from the SD cards is open.',
        {
          keep: 'tasks',
        },
      ),
      user('right, thanks'),
    ],
  },
  {
    name: 'agenda da clínica',
    half: 'dev',
    messages: [
      user('as consultas de sábado aparecem na sexta pra quem está em Manaus'),
      agent('Vou conferir o fuso no agendador.'),
      tool(
        'scheduler/slots.py:52:    # importante: não mexer aqui\nscheduler/slots.py:53:    day = start.date()',
        {
          trap: 'não mexer aqui',
        },
      ),
      agent(
        'O problema é que slots.py usa a data em UTC: depois das 20h em Manaus o dia já virou, e o slot cai no dia errado.',
        { keep: 'lessons' },
      ),
      user('e se a gente guardasse tudo como texto?', { trap: 'guardasse tudo como texto' }),
      agent(
        'Não recomendo. O mais simples é gravar o fuso da clínica em cada agenda e converter na leitura.',
      ),
      user('pode ser assim. fuso fica na tabela clinics, nunca no perfil do paciente', { keep: 'decisions' }),
      agent('Feito em slots.py e na migração 0117.'),
      tool('14 passed'),
      user('falta avisar as clínicas que já têm consulta marcada no dia errado, são 6. deixa pra segunda', {
        keep: 'tasks',
      }),
      agent('Anotado.'),
      user('valeu demais kkk'),
    ],
  },
  {
    name: 'font pipeline',
    half: 'dev',
    messages: [
      user('can you find out why the variable font is 900 KB all of a sudden'),
      agent('Running the subsetter with --verbose.'),
      tool('fonttools subset: kept 4121 glyphs'),
      agent(
        'It kept all glyphs because the unicodes file has Windows line endings; pyftsubset reads `U+0041\\r` as no range at all and then skips the filter.',
        {
          keep: 'lessons',
        },
      ),
      user('nice one. lets fail the build when the subset is over 200 KB', { keep: 'decisions' }),
      agent('Is 200 KB per weight or for the family?'),
      user('per file'),
      agent('Added the check to build/fonts.mjs.'),
      user('also I would rather have woff2 only, nobody of our users has a browser without it', {
        keep: 'decisions',
      }),
      agent('ok, dropping woff and ttf from the list.'),
      user('did we decide anything about the italic?', { trap: 'decide anything about the italic' }),
      agent('No, nothing was decided about that.', { trap: 'nothing was decided' }),
    ],
  },
  {
    name: 'ferry booking queue',
    half: 'held-out',
    messages: [
      user('double bookings on the 7:40 ferry again, two cars on one slot'),
      agent('I will read the reservation code.'),
      tool('reservations.go:88: // TODO decide on lock strategy', { trap: 'TODO decide on lock strategy' }),
      agent(
        'Reserve() reads the free slots outside of the transaction. Two requests within 30 ms both see the same slot.',
        {
          keep: 'lessons',
        },
      ),
      user('and a lock on the sailing row?'),
      agent('SELECT … FOR UPDATE on the sailing would do, it serialises bookings of one sailing only.'),
      user(
        'good, do it like that. but lorries keep their own pool, they must never compete with cars for a slot',
        {
          keep: 'decisions',
        },
      ),
      agent('Done, with a test that books from 50 goroutines.'),
      tool('ok  	ferry/reservations	2.113s'),
      user('how many retries does the kiosk do?'),
      agent(
        'Three, without backoff. With the lock a kiosk that retries can hold a connection for up to 9 s, the pool has only 20.',
        {
          keep: 'lessons',
        },
      ),
      user('hmm ok. kiosk backoff goes on the list for the next release then', { keep: 'tasks' }),
      agent('Written down. Shall I merge?'),
      user('yes merge'),
    ],
  },
  {
    name: 'tax form editor',
    half: 'held-out',
    messages: [
      user('the form editor loses focus while typing since yesterday'),
      agent('Checking what changed.'),
      tool('git log --oneline -2\n1f2e3d4 bump react-hook-form to 7.54'),
      agent(
        'The field array is keyed by index, so every insert remounts the inputs below it; that was always wrong but 7.54 made it visible.',
        {
          keep: 'lessons',
        },
      ),
      user('I was thinking of pinning 7.53, would that be terrible?', { trap: 'pinning 7.53' }),
      agent('It hides the bug. Using field.id as key is a two line change.'),
      user('go for field.id everywhere'),
      agent('Changed in 4 components.'),
      user(
        'and please: accountants use this with the keyboard only, so every new control has to work without a mouse',
        {
          keep: 'decisions',
        },
      ),
      agent(
        'Understood. The date picker does not, by the way: it opens on click only. I have not changed it.',
        {
          keep: 'tasks',
        },
      ),
      user('that one is for Petra, she is back on the 14th'),
      agent('Ok.'),
      user('cool, you are a star', { trap: 'you are a star' }),
    ],
  },
  {
    name: 'estoque da farmácia',
    half: 'held-out',
    messages: [
      user('o estoque ficou negativo em duas lojas, dá uma olhada?'),
      agent('Olhando a fila de baixas.'),
      tool('WARN  baixa duplicada pedido=88121 loja=4\nWARN  baixa duplicada pedido=88121 loja=4'),
      agent(
        'A fila entrega a mesma mensagem duas vezes quando o consumidor demora mais de 30 s, que é o visibility timeout do SQS.',
        {
          keep: 'lessons',
        },
      ),
      user('então aumenta pra 5 minutos'),
      agent('Aumentei, mas o certo é a baixa ser idempotente pelo número do pedido.'),
      user(
        'concordo, faz idempotente. e controlados não podem vender com estoque zerado em hipótese nenhuma, a anvisa multa',
        {
          keep: 'decisions',
        },
      ),
      agent('Rodando os testes.'),
      tool('FAIL test_baixa_parcial'),
      agent(
        'test_baixa_parcial falha porque baixas parciais têm o mesmo número de pedido; a chave precisa ser pedido + item.',
        {
          keep: 'lessons',
        },
      ),
      user('faz sentido'),
      user('talvez no futuro a gente use kafka, mas não agora', { trap: 'a gente use kafka' }),
      agent('Certo. Ainda falta corrigir o saldo das lojas 4 e 9, que continua negativo.', { keep: 'tasks' }),
      user('isso eu faço na mão'),
    ],
  },
  {
    name: 'telescope scheduler',
    half: 'held-out',
    messages: [
      user('scheduler picked a target below the horizon last night. why?'),
      agent('Reading plan.jl and the ephemeris cache.'),
      tool('Warning: IERS table expired, using last value'),
      agent(
        'The IERS table had expired, and then AstroLib silently takes the last known value, which is 40 days off. That moved the target by half a degree.',
        {
          keep: 'lessons',
        },
      ),
      user('ouch'),
      user('an expired table has to stop the plan from now on, not warn', { keep: 'decisions' }),
      agent(
        'Like this?\n```julia\n# important: we always throw here\nexpired(t) && throw(StaleTable(t))\n```',
        {
          trap: 'we always throw here',
        },
      ),
      user('yep'),
      agent('Committed. Do you want the minimum altitude changed too? It is 12 degrees now.'),
      user('20 degrees for the small dome, the wall is in the way. 12 is fine for the big one', {
        keep: 'decisions',
      }),
      agent('Set in domes.toml.'),
      tool('Test Summary: | Pass 88'),
      user('the download of the table itself we do tomorrow, needs a firewall hole', { keep: 'tasks' }),
      agent('I will leave a note in the log book.'),
    ],
  },
  {
    name: 'loja de discos',
    half: 'held-out',
    messages: [
      user('a busca não acha "São Paulo Underground" se digitar sem acento'),
      agent('Deixa eu ver o índice.'),
      tool("CREATE INDEX idx_disco_nome ON disco USING gin (to_tsvector('portuguese', nome));"),
      agent(
        'O índice usa a configuração portuguese sem unaccent; o Postgres só ignora acento se a configuração tiver o dicionário unaccent antes do stemmer.',
        {
          keep: 'lessons',
        },
      ),
      user('beleza, cria a configuração então'),
      agent('Criei pt_unaccent na migração 31. Troco também o ranking?'),
      user('não, o ranking fica como está: disco em estoque sempre na frente, combinado com o Beto', {
        keep: 'decisions',
      }),
      agent('Certo.'),
      user('será que vale a pena elastic?', { trap: 'vale a pena elastic' }),
      agent('Para 40 mil discos, não.'),
      user('eu prefiro SQL puro nas migrações, sem ORM, fica mais fácil de revisar', { keep: 'decisions' }),
      agent('Anotado. As capas em webp ficaram pela metade, converti 12 mil de 40 mil.', { keep: 'tasks' }),
      user('amanhã a gente vê rs'),
    ],
  },
  {
    name: 'map tiles, a talkative agent',
    half: 'dev',
    messages: [
      user(
        'The vector tiles for the ski map are blank above zoom 14 for some regions. Can you investigate? Start with the tile server.',
      ),
      agent(
        "I'll investigate the blank tiles. Let me start by looking at the tile server configuration and the generation pipeline.",
      ),
      tool('tileserver/config.json: {"maxzoom": 16, "minzoom": 0}'),
      agent(
        'The tile server is configured correctly with a max zoom of 16. Now let me check how the tiles are generated.',
      ),
      tool('scripts/build-tiles.sh: tippecanoe -z14 -o out.mbtiles'),
      agent(
        'I see the issue now. The build script passes `-z14` to tippecanoe, so no tile above zoom 14 exists; regions that look fine are overzoomed by the client, which only works when the source declares its real maxzoom.\n\nLet me verify this with one of the regions.',
        { keep: 'lessons' },
      ),
      tool('sqlite3 out.mbtiles "select max(zoom_level) from tiles" → 14'),
      agent(
        'Confirmed. I have two options:\n\n1. Build to zoom 16 (the file grows from 2 GB to about 11 GB)\n2. Declare maxzoom 14 and let the client overzoom\n\nWhich one do you prefer?',
      ),
      user('2. Disk on the edge boxes is 8 GB, we cannot go over 4 GB for tiles', { keep: 'decisions' }),
      agent(
        'Great choice! I\'ll update the configuration.\n\n```json\n{ "maxzoom": 14 }\n```\n\nThis change ensures that the client knows the limit.',
      ),
      tool('ok'),
      agent(
        "## Summary\n\nI've fixed the blank tiles:\n\n- Changed `tileserver/config.json` to declare maxzoom 14\n- Added a test in `test/tiles.test.ts`\n- All 23 tests pass\n\n## Not done\n\n- The Android app has its own copy of the style and still requests zoom 16\n\nLet me know if you need anything else!",
        { keep: 'tasks' },
      ),
      user('perfect, thank you'),
    ],
  },
  {
    name: 'billing export, a talkative agent',
    half: 'dev',
    messages: [
      user(
        'Please make the monthly billing export faster. It takes 50 minutes and the accountants complain.',
      ),
      agent(
        "I'll help you speed up the billing export. Let me explore the codebase to understand how it works.",
      ),
      tool('Found 14 files'),
      agent(
        'Now I understand the structure. The export is in `billing/export.rb` and runs as a Sidekiq job. Let me look at the queries it makes.',
      ),
      tool('SELECT * FROM invoices WHERE ... (48,210 times)'),
      agent(
        'Found it! Each invoice triggers its own query for the customer because `includes(:customer)` is lost when `find_each` is called on the merged scope. That explains 48,210 queries.',
        { keep: 'lessons' },
      ),
      user('ok fix that. but do not touch the CSV columns, the accountants import them by position', {
        keep: 'decisions',
      }),
      agent("Understood, I'll keep the columns exactly as they are. Let me apply the fix."),
      tool('export finished in 212 s'),
      agent(
        "The export now takes 3.5 minutes instead of 50. Here's what I changed:\n\n- `billing/export.rb`: preload customers in batches of 1,000\n- `spec/export_spec.rb`: a test that counts queries\n\nWould you like me to look at the PDF generation as well?",
      ),
      user(
        'not now. we freeze billing code from the 25th to the 3rd of every month, so nothing goes out before that',
        {
          keep: 'decisions',
        },
      ),
      agent("Got it. I'll leave the branch `perf/export` open. It has to be merged after the 3rd.", {
        keep: 'tasks',
      }),
      user('exactly'),
    ],
  },
  {
    name: 'podcast player, a talkative agent',
    half: 'held-out',
    messages: [
      user('Playback position is lost when the phone is locked for a long time. Please find out why.'),
      agent("I'll look into this. Let me first find where the position is saved."),
      tool('PlayerStore.swift, PlaybackSession.swift'),
      agent(
        'The position is saved in `PlayerStore.swift` every 5 seconds with a Timer. Let me check what happens in the background.',
      ),
      tool('grep: beginBackgroundTask not found'),
      agent(
        "I found the problem. iOS suspends timers about 30 seconds after the screen is locked unless audio is playing, so a paused episode never writes its last position. I'd recommend saving on `didEnterBackground` as well.",
        { keep: 'lessons' },
      ),
      user(
        "Makes sense. Save on pause too, and don't write more often than every 5 s, the flash of old phones wears out",
        {
          keep: 'decisions',
        },
      ),
      agent("Perfect! I'll implement both. First, I'll add the observer."),
      tool('Build succeeded'),
      agent(
        "I've implemented the changes:\n\n1. `PlaybackSession` saves on pause and on background\n2. Writes are throttled to one in 5 seconds\n\nAll 61 tests pass. Do you want me to sync the position with the watch app too?",
      ),
      user('could be nice but who uses the watch app anyway', { trap: 'who uses the watch app' }),
      agent('Fair point! Is there anything else?'),
      user('yes: minimum is iOS 16 since the spring release, so you can drop the availability checks', {
        keep: 'decisions',
      }),
      agent('Removed 14 checks. The widget extension is still built against iOS 15, I left it alone.', {
        keep: 'tasks',
      }),
      user('ok bye'),
    ],
  },
  {
    name: 'folha de ponto, um agente falante',
    half: 'held-out',
    messages: [
      user('O cálculo de hora extra está errado para quem trabalha no feriado. Pode investigar?'),
      agent('Claro! Vou analisar o módulo de cálculo e identificar o problema.'),
      tool('app/services/overtime.py'),
      agent('O cálculo fica em `app/services/overtime.py`. Agora vou olhar a tabela de feriados.'),
      tool('select * from feriados where uf is null; -- 11 rows'),
      agent(
        'Encontrei o problema! Feriados estaduais são gravados com uf em minúsculas, mas a consulta compara com maiúsculas, então só os 11 feriados nacionais entram na conta.',
        { keep: 'lessons' },
      ),
      user(
        'putz. normaliza na gravação então. e hora de feriado é sempre 100%, nunca 50%, está na convenção coletiva',
        {
          keep: 'decisions',
        },
      ),
      agent('Perfeito! Vou normalizar na gravação e corrigir o percentual.'),
      tool('32 passed'),
      agent(
        '## Resumo\n\n- Normalização da UF em `holiday.py`\n- Percentual de feriado em 100%\n- Testes novos: 4\n\n## Pendências\n\n- Recalcular a folha de março das filiais do Paraná',
        { keep: 'tasks' },
      ),
      user('será que dá pra automatizar o recálculo?', { trap: 'automatizar o recálculo' }),
      agent('Sim, com um comando de gestão. Posso criar um `recalculate_payroll`.'),
      user('não precisa, é uma vez só'),
      user('ah, e relatório pro RH sai em xlsx, csv o excel deles estraga os acentos', { keep: 'decisions' }),
      agent('Entendido! Ajustando a exportação.'),
    ],
  },
]
