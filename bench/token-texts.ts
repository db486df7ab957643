/**
 * Texts of our own in languages that no dependency's documents are written in; the token estimate was not fitted to
 * them. Each is a note as an agent or a person would leave it.
 */
export const PORTUGUESE_TEXTS: readonly string[] = [
  `Decidimos trocar a fila de mensagens por uma tabela no PostgreSQL. A fila antiga perdia mensagens quando o serviço
reiniciava no meio de uma entrega, e ninguém conseguia explicar por que alguns clientes recebiam o aviso duas vezes. Com a
tabela, cada mensagem tem um estado, a data da última tentativa e o erro que aconteceu. O custo é um pouco mais de carga no
banco, mas medimos e fica abaixo de cinco por cento mesmo no horário de pico. Se um dia isso não bastar, voltamos a conversar
sobre uma fila dedicada, desta vez com confirmação explícita de leitura.`,
  `Lição aprendida: nunca rodar a migração de produção sem antes testar com uma cópia recente dos dados. Na terça-feira a
migração passou em todos os testes, mas travou a tabela de pedidos por onze minutos, porque em desenvolvimento ela tem mil
linhas e em produção tem quarenta milhões. A solução foi criar a coluna nova como opcional, preencher em lotes pequenos
durante a madrugada e só depois acrescentar a restrição. Quem for mexer nisso de novo deve ler o documento de operação antes.`,
  `O usuário prefere respostas curtas e diretas, sem repetir a pergunta. Gosta de ver o comando completo que foi executado e o
resultado dele. Não quer que o agente faça commit por conta própria; primeiro mostra a diferença, depois espera a aprovação. Em
revisões de código, ele se importa mais com nomes claros e com tratamento de erros do que com desempenho, a não ser nas rotas de
busca, que precisam responder em menos de duzentos milissegundos.`,
  `Resumo da sessão: começamos investigando por que o relatório mensal demorava mais de uma hora. Descobrimos que a consulta
principal fazia uma busca sequencial, já que o índice existente começa pela coluna errada. Criamos um índice novo, ajustamos a
consulta para usar a data de fechamento e o tempo caiu para quarenta segundos. Ficou pendente remover o índice antigo, o que
depende de confirmar que nenhum outro serviço o utiliza. Também falta atualizar a documentação e avisar a equipe financeira.`,
  `Atenção: o ambiente de homologação compartilha o mesmo servidor de cache que o ambiente de testes automatizados. Quando os
testes limpam o cache, as sessões de quem está homologando são encerradas e a pessoa precisa entrar de novo. Já pedimos um servidor
separado para a infraestrutura, ainda sem previsão. Enquanto isso, combine com a equipe antes de disparar a suíte completa durante o
horário comercial, principalmente nas sextas-feiras, que é quando os parceiros costumam validar as entregas.`,
  `Como fazer a publicação de uma nova versão: atualize o arquivo de mudanças, crie a etiqueta com o número da versão, espere a
integração contínua terminar e só então publique o pacote. Se a publicação falhar no meio, não apague a etiqueta; aumente o número e
tente outra vez, porque os usuários podem já ter baixado a versão anterior. As credenciais ficam no cofre da empresa e são trocadas a
cada três meses pela equipe de segurança.`,
]

export const OTHER_TEXTS: Readonly<Record<string, string>> = {
  chinese: `我们决定把消息队列换成数据库里的一张表。旧的队列在服务重启时会丢失消息,没有人能解释为什么有些客户会收到两次通知。现在每条消息都有状态、
最后一次尝试的时间和发生的错误。代价是数据库的负载稍微增加,但是我们测量过,即使在高峰时段也低于百分之五。以后如果不够用,我们再讨论专用的队列。`,
  japanese: `メッセージキューをデータベースのテーブルに置き換えることにしました。以前のキューはサービスの再起動中にメッセージを失うことがあり、
一部の顧客に通知が二回届く理由を誰も説明できませんでした。新しいテーブルでは、各メッセージに状態と最後の試行日時とエラーが記録されます。`,
  korean: `메시지 큐를 데이터베이스 테이블로 바꾸기로 결정했습니다. 이전 큐는 서비스가 다시 시작될 때 메시지를 잃어버렸고, 일부 고객이 알림을 두 번 받는
이유를 아무도 설명하지 못했습니다. 이제 각 메시지에는 상태와 마지막 시도 시간, 그리고 발생한 오류가 기록됩니다.`,
  arabic: `قررنا استبدال قائمة انتظار الرسائل بجدول في قاعدة البيانات. كانت القائمة القديمة تفقد الرسائل عند إعادة تشغيل الخدمة، ولم يستطع أحد أن يشرح
لماذا كان بعض العملاء يتلقون الإشعار مرتين. الآن لكل رسالة حالة وتاريخ آخر محاولة والخطأ الذي حدث.`,
  russian: `Мы решили заменить очередь сообщений таблицей в базе данных. Старая очередь теряла сообщения при перезапуске службы, и никто не мог объяснить,
почему некоторые клиенты получали уведомление дважды. Теперь у каждого сообщения есть состояние, дата последней попытки и ошибка, которая произошла.`,
}
