import type { ErrorCode } from '../../../src/kernel/model/errors.ts'

/** Failures without an error code of Cairn: an unexpected error, and an unreachable server. */
type PageFailure = 'internal' | 'unreachable'

/** What happened, and what to do next. */
export type FailureTexts = readonly [text: string, hint: string]

/** The failures of the server in Portuguese. A missing code is a compile error. */
export const FAILURES_PT: Readonly<Record<ErrorCode | PageFailure, FailureTexts>> = {
  internal: ['O Cairn teve um erro inesperado.', 'Veja os detalhes no terminal do `cairn up`.'],
  unreachable: [
    'O servidor desta página não responde.',
    'Verifique se o `cairn up` ainda está em execução. Esta página se reconecta automaticamente.',
  ],
  invalid_input: ['O servidor não aceitou os dados informados.', 'Corrija os dados e tente de novo.'],
  unknown_verb: ['Este comando não existe.', '`cairn help` lista os comandos.'],
  agent_id_invalid: [
    'Este nome de agente não é válido.',
    'Use letras minúsculas, números e hífens, por exemplo `dev` ou `code-review`.',
  ],
  content_empty: ['O texto está vazio.', 'Escreva o que deve ser lembrado.'],
  content_too_long: ['O texto é longo demais.', 'Encurte o texto ou divida-o em várias entradas.'],
  query_empty: ['A busca está vazia.', 'Escreva uma ou mais palavras.'],
  session_id_invalid: [
    'Este identificador de sessão não é válido.',
    'Use um identificador da lista de sessões.',
  ],
  source_unreadable: ['Não foi possível ler a fonte.', 'Confira o caminho e as permissões de leitura.'],
  config_key_unknown: ['Esta configuração não existe.', '`cairn config list` mostra todas.'],
  config_value_invalid: [
    'A configuração não aceita este valor.',
    '`cairn config list` mostra os valores aceitos.',
  ],
  scope_invalid: [
    'Este nome de espaço de trabalho não é válido.',
    'Use nomes separados por `/`, sem espaços nas pontas.',
  ],
  front_matter_invalid: [
    'Não foi possível ler o cabeçalho do arquivo.',
    'Corrija o YAML entre as linhas `---`.',
  ],
  host_unknown: ['Este host não é conhecido.', '`cairn init --help` lista os hosts conhecidos.'],
  body_too_large: ['Os dados enviados são grandes demais.', 'Envie em partes menores.'],
  method_unknown: ['O servidor não aceita este método neste endereço.', 'Recarregue a página.'],
  route_not_found: [
    'Este endereço não existe no servidor.',
    'Recarregue a página: o servidor pode ser de outra versão.',
  ],
  entry_not_found: [
    'Esta entrada não existe, ou não existe mais.',
    'Busque por palavras, ou veja o diário em Saúde.',
  ],
  entity_not_found: ['Nenhuma entrada menciona isto.', 'Escolha um nó do grafo, ou confira o nome.'],
  record_not_found: ['Este registro não está no diário.', 'Veja os registros em Saúde, Diário.'],
  alias_not_found: ['Este apelido não existe.', '`cairn alias list` mostra todos.'],
  file_not_found: ['O arquivo não existe.', 'Confira o caminho.'],
  brief_not_found: ['Este resumo não está mais salvo.', 'Os últimos resumos estão em Resumo, Enviados.'],
  nothing_to_undo: ['Não há nada para desfazer.', 'Veja as alterações no diário, em Saúde.'],
  session_not_found: ['Esta sessão não existe.', 'Veja as sessões na linha do tempo.'],
  finding_not_found: [
    'Esta proposta não existe mais.',
    'Ela pode já ter sido revisada. Recarregue a revisão.',
  ],
  conflict_not_found: ['Este conflito não existe mais.', 'Ele pode já ter sido decidido.'],
  batch_not_found: ['Este lote de itens arquivados não existe.', 'Veja a lista em Saúde.'],
  workspace_not_found: ['Este espaço de trabalho não existe.', 'Veja a lista em Estado.'],
  plan_not_found: ['Este plano não existe.', 'Veja a lista em Estado.'],
  source_not_found: [
    'Não há uma fonte neste caminho.',
    'Confira o caminho, ou escolha uma das fontes encontradas.',
  ],
  checkpoint_not_found: ['Este checkpoint não existe.', 'Veja a lista em Estado.'],
  skill_not_found: ['Esta skill não existe.', '`cairn skill list` mostra todas.'],
  template_not_found: ['Este modelo não existe.', '`cairn query templates` mostra todos.'],
  state_not_found: [
    'O projeto ainda não tem um estado.',
    'Crie um com `cairn recall` ou com o botão em Estado.',
  ],
  transcript_not_found: ['Esta transcrição não existe mais.', 'O host pode tê-la excluído.'],
  project_not_found: ['Este projeto não existe.', '`cairn projects` lista os projetos.'],
  install_not_found: ['O Cairn não está instalado ali.', 'Instale com `cairn init`.'],
  ambiguous_match: ['Mais de um item corresponde.', 'Informe o identificador, ou mais palavras.'],
  undo_conflict: [
    'Isto não pode ser desfeito: algo mudou depois.',
    'Desfaça primeiro as alterações mais novas, no diário em Saúde.',
  ],
  entry_changed: ['A entrada mudou nesse meio-tempo.', 'Veja o texto atual e tente de novo.'],
  session_exists: ['Já existe uma sessão com este nome.', 'Continue nela, ou escolha outro nome.'],
  restore_conflict: [
    'Nada foi restaurado: já existe algo no mesmo lugar.',
    'Mova ou renomeie o que existe lá e tente de novo.',
  ],
  file_changed: ['O arquivo mudou nesse meio-tempo e não foi sobrescrito.', 'Tente de novo.'],
  file_exists: ['Já existe um arquivo neste caminho.', 'Escolha outro nome, ou mova o arquivo existente.'],
  entry_block_damaged: [
    'As marcas do bloco de entrada estão danificadas.',
    'Corrija o arquivo e tente de novo.',
  ],
  merge_conflict: [
    'Há um conflito do git em um arquivo da memória.',
    'Resolva o conflito no arquivo e tente de novo.',
  ],
  host_config_damaged: ['Não foi possível ler a configuração do host.', 'Corrija o arquivo e tente de novo.'],
  host_config_changed: ['A configuração do host mudou nesse meio-tempo.', 'Tente de novo.'],
  text_changed: ['O texto mudou nesse meio-tempo.', 'Compare as duas versões e salve a correta.'],
  agent_busy: ['O agente já está trabalhando.', 'Espere a resposta, ou interrompa o agente.'],
  not_confirmed: ['Falta a sua confirmação.', 'Confirme no terminal, com o comando `cairn` correspondente.'],
  not_trusted: ['Este projeto ainda não é confiável.', 'Execute `cairn trust` no projeto.'],
  not_initialised: ['O Cairn ainda não foi inicializado aqui.', 'Execute `cairn init`.'],
  token_missing: [
    'Esta página não tem um token válido.',
    '`cairn token` mostra o token. Informe-o nesta página.',
  ],
  request_refused: [
    'O servidor recusou a requisição: ela só é permitida a partir desta máquina.',
    'Abra a página pelo endereço que o `cairn up` mostra.',
  ],
  agent_host_off: [
    'O host deste agente não está disponível.',
    'Instale ou habilite o host, ou escolha outro.',
  ],
  obsidian_not_linked: ['Nenhum cofre do Obsidian está vinculado.', 'Vincule um com `cairn obsidian link`.'],
  obsidian_vault_missing: [
    'A pasta do cofre do Obsidian não existe.',
    'Restaure a pasta, ou vincule outro cofre.',
  ],
  obsidian_deletions_held: [
    'Muitas notas sumiram de uma vez, por isso nada foi excluído.',
    'Confira a pasta. `cairn obsidian sync --help` mostra como confirmar.',
  ],
  model_off: ['Nenhum modelo está configurado.', '`cairn model --help` mostra como configurar um.'],
  model_cap_reached: [
    'O limite diário do modelo foi atingido.',
    'O limite é zerado à meia-noite UTC. Você pode aumentá-lo nas configurações.',
  ],
  vault_read_only: [
    'A memória está somente leitura.',
    'Dê ao seu usuário permissão de escrita na pasta `.memory`.',
  ],
  vault_newer: ['Esta memória foi escrita por um Cairn mais novo.', 'Atualize o Cairn.'],
  not_a_project_folder: [
    'Esta é uma pasta do sistema e não pode ser um projeto.',
    'Vá para a pasta do seu projeto, ou indique-a com `--root`.',
  ],
  memory_outside_project: [
    'Um link aponta para fora da memória. Nada foi lido nem escrito por ele.',
    'Substitua o link pelo arquivo ou pela pasta de destino.',
  ],
  memory_not_a_folder: ['Há um arquivo no lugar da pasta da memória.', 'Mova o arquivo.'],
  disk_full: ['O disco está cheio. Os dados salvos estão seguros.', 'Libere espaço e tente de novo.'],
  store_locked: ['Outro processo está gravando na memória.', 'Tente de novo em instantes.'],
  store_io: ['O disco retornou um erro.', 'Confira a pasta e as permissões de leitura e gravação.'],
  vault_file_damaged: [
    'Um arquivo da memória está danificado.',
    'Corrija o arquivo à mão. `cairn doctor` mostra o problema.',
  ],
  document_damaged: [
    'Um documento da memória está danificado.',
    'Corrija o documento, ou restaure uma cópia. `cairn doctor` mostra o problema.',
  ],
  index_unavailable: ['O índice não está disponível.', '`cairn doctor --fix` o refaz a partir dos arquivos.'],
  write_interrupted: ['A gravação foi interrompida.', 'Confira o conteúdo atual e tente de novo.'],
  embedder_unavailable: [
    'A busca por significado não está disponível. A busca usa só as palavras.',
    '`cairn embedder` mostra o status.',
  ],
  embedder_busy: ['Há consultas demais na fila da busca por significado.', 'Tente de novo em instantes.'],
  embedder_failed: [
    'A busca por significado falhou. A busca usa só as palavras.',
    '`cairn embedder` mostra o status.',
  ],
  model_unavailable: ['O modelo não está acessível.', 'Confira o endereço e a chave com `cairn model`.'],
  model_failed: ['O modelo não deu uma resposta válida.', 'Tente de novo. `cairn model` mostra o status.'],
  agent_host_failed: [
    'O host do agente falhou.',
    'Execute o mesmo comando no terminal: o host pode precisar de uma resposta sua.',
  ],
  task_not_found: ['Não há uma tarefa com este identificador.', 'Veja a lista de tarefas.'],
  principal_not_found: ['Não há um usuário ou agente com este nome.', 'Veja a lista de usuários e agentes.'],
  token_not_found: ['Não há um token com este identificador.', 'Veja a lista de tokens do hub.'],
  task_state_conflict: ['O estado atual da tarefa não permite esta ação.', 'Veja o estado atual da tarefa.'],
  lease_lost: [
    'O prazo da reserva acabou, e outro agente pode ter assumido a tarefa.',
    'Assuma a tarefa de novo.',
  ],
  project_exists: ['Já existe um projeto com este nome.', 'Escolha outro nome.'],
  token_refused: [
    'O token não é válido, venceu ou foi revogado.',
    'Peça um novo token a um administrador do hub.',
  ],
  scope_missing: [
    'O token não permite esta ação.',
    'Peça um token com mais permissões a um administrador do hub.',
  ],
  not_on_hub: [
    'Esta ação precisa dos arquivos do projeto, que não estão no hub.',
    'Faça isto no repositório.',
  ],
  not_linked: ['Este projeto não está vinculado a um hub.', 'Vincule-o com `cairn link`.'],
  hub_refused: ['O hub recusou a requisição.', 'Confira o token e as permissões com `cairn link`.'],
  store_unreachable: ['O banco de dados não responde.', 'Tente de novo quando ele voltar.'],
  hub_unreachable: ['O hub não responde. A memória local continua disponível.', 'Tente de novo mais tarde.'],
  backup_damaged: ['O backup está danificado ou incompleto. Nada foi alterado.', 'Use outro backup.'],
  port_taken: ['A porta já está em uso.', 'Escolha outra com `cairn up --port`.'],
  too_many_requests: ['Limite de requisições excedido.', 'Espere um momento e tente de novo.'],
}

/** Failures whose server message contains details that a fixed text cannot: a field, a path, the output of a program. */
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
