import type { ErrorCode } from '../../../src/kernel/model/errors.ts'

/** Failures that have no code of Cairn's: a fault of it, and a server that does not answer to the end. */
export type PageFailure = 'internal' | 'unreachable'

/** What happened, and what to do next. */
export type Said = readonly [text: string, hint: string]

/** The failures of the server in Portuguese: a code without its words here does not compile. */
export const FAILURES_PT: Readonly<Record<ErrorCode | PageFailure, Said>> = {
  internal: [
    'O Cairn falhou de um jeito que ele não conhece.',
    'O que houve está no terminal do `cairn up`.',
  ],
  unreachable: [
    'O servidor desta página não responde.',
    'O `cairn up` ainda está em execução? Inicie de novo; esta página continua sozinha.',
  ],
  invalid_input: ['O servidor não aceita isto como está.', 'Corrija o que foi informado e tente de novo.'],
  unknown_verb: ['O Cairn não conhece este comando.', '`cairn help` lista os comandos.'],
  agent_id_invalid: [
    'Nenhum agente pode ter este nome.',
    'Use letras minúsculas, números e hífens, por exemplo `dev` ou `code-review`.',
  ],
  content_empty: ['Não há texto.', 'Escreva o que deve ser lembrado.'],
  content_too_long: ['O texto é longo demais.', 'Encurte, ou divida em várias entradas.'],
  query_empty: ['Não há nada para procurar.', 'Escreva uma ou mais palavras.'],
  session_id_invalid: [
    'Nenhuma sessão pode ter este nome.',
    'Use o identificador que a lista de sessões mostra.',
  ],
  source_unreadable: ['A fonte não pode ser lida.', 'Confira o caminho e quem pode lê-lo.'],
  config_key_unknown: ['Não existe esta configuração.', '`cairn config list` mostra todas.'],
  config_value_invalid: [
    'A configuração não aceita este valor.',
    '`cairn config list` mostra o que cada uma aceita.',
  ],
  scope_invalid: [
    'Nenhum espaço de trabalho pode ter este nome.',
    'Use nomes separados por `/`, sem espaços nas pontas.',
  ],
  front_matter_invalid: [
    'O cabeçalho do arquivo não pode ser lido.',
    'Corrija o YAML entre as linhas `---`.',
  ],
  host_unknown: ['O Cairn não conhece este programa.', '`cairn init --help` lista os que ele conhece.'],
  body_too_large: ['O que foi enviado é grande demais.', 'Envie em partes menores.'],
  method_unknown: ['O servidor não responde a este método aqui.', 'Recarregue a página.'],
  route_not_found: [
    'O servidor não tem este endereço.',
    'Recarregue a página: o servidor talvez seja de outra versão.',
  ],
  entry_not_found: [
    'Esta entrada não existe, ou não existe mais.',
    'Procure por palavras, ou veja o diário em Saúde.',
  ],
  entity_not_found: ['Nada na memória fala disto.', 'Escolha um nó do grafo, ou confira o nome.'],
  record_not_found: ['O diário não tem este registro.', 'Veja os registros em Saúde, Diário.'],
  alias_not_found: ['Não existe este apelido.', '`cairn alias list` mostra os que existem.'],
  file_not_found: ['O arquivo não está lá.', 'Confira o caminho.'],
  brief_not_found: ['Este resumo não está guardado.', 'Os últimos estão em Resumo, Entregues.'],
  nothing_to_undo: ['Não há nada para desfazer.', 'O diário, em Saúde, mostra o que mudou.'],
  session_not_found: ['Esta sessão não existe.', 'A linha do tempo mostra as que existem.'],
  finding_not_found: [
    'Esta proposta não existe mais.',
    'Ela talvez já tenha sido julgada; recarregue a revisão.',
  ],
  conflict_not_found: ['Este conflito não existe mais.', 'Ele talvez já tenha sido decidido.'],
  batch_not_found: ['O arquivo morto não tem este lote.', 'A lista em Saúde mostra os que existem.'],
  workspace_not_found: ['Este espaço de trabalho não existe.', 'A lista em Estado mostra os que existem.'],
  plan_not_found: ['Este plano não existe.', 'A lista em Estado mostra os que existem.'],
  source_not_found: ['Não há fonte ali.', 'Confira o caminho, ou escolha uma das fontes encontradas.'],
  checkpoint_not_found: ['Este ponto de controle não existe.', 'A lista em Estado mostra os que existem.'],
  skill_not_found: ['Esta habilidade não existe.', '`cairn skill list` mostra as que existem.'],
  template_not_found: ['Este modelo não existe.', '`cairn query templates` mostra os que existem.'],
  state_not_found: ['O projeto ainda não tem um estado.', '`cairn recall`, ou o botão em Estado, cria um.'],
  transcript_not_found: ['Esta transcrição não está mais lá.', 'O programa talvez a tenha apagado.'],
  project_not_found: ['Este projeto não é conhecido.', '`cairn projects` lista os conhecidos.'],
  install_not_found: ['Não há instalação do Cairn ali.', '`cairn init` faz uma.'],
  ambiguous_match: ['Mais de uma coisa combina com isto.', 'Informe o identificador, ou mais palavras.'],
  undo_conflict: [
    'Isto não pode ser desfeito: algo mudou depois.',
    'Desfaça primeiro o que veio depois; o diário em Saúde mostra.',
  ],
  entry_changed: ['A entrada mudou nesse meio-tempo.', 'Veja o que ela diz agora e tente de novo.'],
  session_exists: ['Já existe uma sessão com este nome.', 'Continue nela, ou escolha outro nome.'],
  restore_conflict: [
    'Nada foi restaurado: algo está no lugar.',
    'Mova ou renomeie o que está lá e tente de novo.',
  ],
  file_changed: [
    'O arquivo mudou nesse meio-tempo.',
    'Tente de novo: o que está lá agora não foi sobrescrito.',
  ],
  file_exists: ['Já existe um arquivo ali.', 'Escolha outro nome, ou mova o que está lá.'],
  entry_block_damaged: [
    'As marcas do bloco não podem ser reconhecidas.',
    'Corrija o arquivo e tente de novo.',
  ],
  merge_conflict: [
    'O git deixou um conflito num arquivo da memória.',
    'Resolva o conflito no arquivo e tente de novo.',
  ],
  host_config_damaged: [
    'A configuração do programa não pode ser lida.',
    'Corrija o arquivo e tente de novo.',
  ],
  host_config_changed: ['A configuração do programa mudou nesse meio-tempo.', 'Tente de novo.'],
  text_changed: ['O texto mudou nesse meio-tempo.', 'Veja as duas versões e salve a que deve valer.'],
  agent_busy: ['O agente já está trabalhando.', 'Espere a resposta, ou interrompa.'],
  not_confirmed: ['Falta a sua confirmação.', 'Confirme no terminal, com o comando `cairn` de que se trata.'],
  not_trusted: ['Este projeto não é confiável ainda.', 'Execute `cairn trust` nele.'],
  not_initialised: ['O Cairn ainda não foi preparado aqui.', 'Execute `cairn init`.'],
  token_missing: [
    'Esta página não tem um token válido.',
    '`cairn token` mostra o token; informe-o nesta página.',
  ],
  request_refused: [
    'O servidor recusou o pedido.',
    'Só esta máquina pode fazer isto; abra a página pelo endereço que o `cairn up` mostra.',
  ],
  agent_host_off: ['O programa deste agente não está disponível.', 'Instale-o ou ative-o, ou escolha outro.'],
  obsidian_not_linked: ['Nenhum cofre do Obsidian está ligado.', '`cairn obsidian link` liga um.'],
  obsidian_vault_missing: [
    'O cofre do Obsidian não está no lugar.',
    'Traga a pasta de volta, ou ligue de novo.',
  ],
  obsidian_deletions_held: [
    'Muitas notas sumiram de uma vez, então nada foi apagado.',
    'Confira a pasta; `cairn obsidian sync --help` diz como confirmar.',
  ],
  model_off: ['Nenhum modelo está configurado.', '`cairn model --help` diz como configurar um.'],
  model_cap_reached: [
    'O limite de hoje para o modelo foi atingido.',
    'Ele volta à meia-noite UTC; as configurações o aumentam.',
  ],
  vault_read_only: [
    'Não é possível gravar na memória.',
    'Dê a si mesmo o direito de gravar na pasta `.memory`.',
  ],
  vault_newer: ['Um Cairn mais novo escreveu esta memória.', 'Atualize o Cairn.'],
  not_a_project_folder: [
    'Esta pasta é do próprio sistema e não guarda arquivos: não pode ser um projeto.',
    'Vá para a pasta do seu projeto, ou indique-a com `--root`.',
  ],
  memory_outside_project: [
    'Um link leva para fora da memória; nada foi lido nem escrito por ele.',
    'Substitua o link por aquilo a que ele leva.',
  ],
  memory_not_a_folder: ['Há um arquivo onde deveria estar a pasta da memória.', 'Mova-o dali.'],
  disk_full: ['O disco está cheio.', 'Libere espaço e tente de novo; nada do que estava salvo se perdeu.'],
  store_locked: ['Outro processo está escrevendo na memória.', 'Tente de novo em um momento.'],
  store_io: ['O disco não respondeu como devia.', 'Confira a pasta e quem pode lê-la e gravar nela.'],
  vault_file_damaged: [
    'Um arquivo da memória está danificado.',
    'Corrija-o à mão; `cairn doctor` diz o que há.',
  ],
  document_damaged: [
    'Um documento da memória está danificado.',
    'Corrija-o, ou traga uma cópia; `cairn doctor` diz o que há.',
  ],
  index_unavailable: ['O índice não pode ser usado.', '`cairn doctor --fix` o refaz a partir dos arquivos.'],
  write_interrupted: ['A gravação foi interrompida.', 'Confira o que está lá agora e tente de novo.'],
  embedder_unavailable: [
    'A busca pelo sentido não está disponível.',
    'As palavras decidem; `cairn embedder` diz como está.',
  ],
  embedder_busy: [
    'Muitas perguntas esperam para ser comparadas pelo sentido.',
    'Pergunte de novo daqui a pouco.',
  ],
  embedder_failed: ['A busca pelo sentido falhou.', 'As palavras decidem; `cairn embedder` diz como está.'],
  model_unavailable: [
    'O modelo não pode ser alcançado.',
    'Confira o endereço e a chave: `cairn model` mostra.',
  ],
  model_failed: [
    'O modelo não deu uma resposta que sirva.',
    'Tente de novo; `cairn model` mostra como está.',
  ],
  agent_host_failed: [
    'O programa do agente falhou.',
    'Tente o mesmo no terminal: ele talvez peça algo a você.',
  ],
  task_not_found: ['Não há nenhuma tarefa com esse identificador.', 'Veja as tarefas que existem.'],
  principal_not_found: ['Não há ninguém com esse nome aqui.', 'Veja quem tem acesso.'],
  token_not_found: ['Não há token com esse identificador aqui.', 'Veja a lista de tokens do hub.'],
  task_state_conflict: [
    'A tarefa não está num estado que permita isso.',
    'Veja em que estado ela está agora.',
  ],
  lease_lost: ['O prazo desta tarefa acabou, e outro pode tê-la assumido.', 'Assuma a tarefa de novo.'],
  project_exists: ['Já existe um projeto com esse nome.', 'Escolha outro nome.'],
  token_refused: ['O token não vale, venceu ou foi revogado.', 'Peça um novo a quem administra o hub.'],
  scope_missing: ['O token não permite isso.', 'Peça um token com mais permissões a quem administra o hub.'],
  not_on_hub: ['Isso só existe onde estão os arquivos do projeto, não no hub.', 'Faça isso no repositório.'],
  not_linked: ['Este projeto não está ligado a nenhum hub.', 'Ligue-o com `cairn link`.'],
  hub_refused: ['O hub recusou o pedido.', 'Veja o token e as permissões com `cairn link`.'],
  store_unreachable: ['O banco de dados não responde.', 'Tente de novo quando ele voltar.'],
  hub_unreachable: ['O hub não responde.', 'A memória local continua valendo; tente de novo mais tarde.'],
  backup_damaged: [
    'A cópia de segurança está danificada ou incompleta.',
    'Use outra cópia; nada foi mudado.',
  ],
  port_taken: ['A porta já está em uso.', 'Escolha outra com `cairn up --port`.'],
  too_many_requests: ['São pedidos demais de uma vez.', 'Espere um momento e tente de novo.'],
}

/** Their message names something that no text by code can: which field, which path, what the program said. */
export const SPECIFIC_FAILURES: ReadonlySet<string> = new Set<ErrorCode>([
  'invalid_input',
  'config_value_invalid',
  'source_unreadable',
  'scope_invalid',
  'front_matter_invalid',
  'file_not_found',
  'source_not_found',
  'ambiguous_match',
  'undo_conflict',
  'restore_conflict',
  'file_changed',
  'file_exists',
  'merge_conflict',
  'host_config_damaged',
  'memory_outside_project',
  'store_io',
  'vault_file_damaged',
  'document_damaged',
  'write_interrupted',
  'embedder_busy',
  'embedder_failed',
  'model_unavailable',
  'model_failed',
  'agent_host_failed',
  'store_unreachable',
  'task_state_conflict',
  'not_on_hub',
  'hub_refused',
  'hub_unreachable',
  'backup_damaged',
])
