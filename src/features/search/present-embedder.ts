import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

export const EMBEDDER_PRESENTERS = {
  embed: ({ embedded, waiting }, terminal) => {
    terminal.out(`${embedded} ${embedded === 1 ? 'vector' : 'vectors'} made, ${waiting} waiting.\n`)
  },
  'embedder status': presentEmbedderStatus,
  'embedder allow': presentEmbedderAllow,
  'embedder forbid': presentEmbedderForbid,
} satisfies Partial<Presenters>

const STATES = {
  allowed: 'allowed on this machine',
  not_allowed: 'not used: not allowed on this machine (`cairn embedder allow`)',
  changed: 'not used: its settings changed since they were allowed (`cairn embedder allow`)',
  damaged: 'not used: the stored permission of this machine cannot be read (`cairn embedder allow`)',
} as const

function presentEmbedderStatus(view: AnswerOf<'embedder status'>, terminal: Terminal): void {
  if (view.terms === null || view.state === 'not_needed') {
    terminal.out(
      view.use === 'off'
        ? 'Embedder off: words alone decide.\n'
        : 'Embedder built-in: nothing leaves this machine.\n',
    )
    return
  }
  terminal.out(`Embedder ${STATES[view.state]}\n`)
  showTerms(view.terms, terminal)
  if (view.since !== null) terminal.out(`  allowed   ${view.since}\n`)
}

function presentEmbedderAllow(view: AnswerOf<'embedder allow'>, terminal: Terminal): void {
  if (view.terms === null || view.code === null) {
    terminal.out(
      'Nothing is sent to an embedder here (`embedder.use` is not http), so there is nothing to allow.\n',
    )
    return
  }
  terminal.out(
    view.state === 'allowed'
      ? `${terminal.good('Allowed')} on this machine:\n`
      : 'This is what config.json asks for:\n',
  )
  showTerms(view.terms, terminal)
  terminal.out(
    'It gets every entry of this project, private ones too, every document of its workspaces, and every question, without secrets.\n',
  )
  if (view.state !== 'allowed') terminal.out(`To allow exactly this: cairn embedder allow ${view.code}\n`)
}

function showTerms(
  { url, model, keyVariable }: NonNullable<AnswerOf<'embedder status'>['terms']>,
  terminal: Terminal,
): void {
  terminal.out(`  contacts  ${visible(url)}\n`)
  terminal.out(`  model     ${visible(model)}\n`)
  terminal.out(`  key       from the variable ${visible(keyVariable)}, if it is set\n`)
}

function presentEmbedderForbid({ forbidden }: AnswerOf<'embedder forbid'>, terminal: Terminal): void {
  terminal.out(forbidden ? 'Nothing is sent from now on.\n' : 'Nothing was allowed here.\n')
}
