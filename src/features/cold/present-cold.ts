import { HOSTS } from '../../hosts/hosts.ts'
import { isHostId } from '../../kernel/model/host.ts'
import { type ColdHit, isTranscriptHost, TRANSCRIPT_TITLES } from '../../kernel/model/transcript.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import { highlight } from '../search/present-hits.ts'

export const COLD_PRESENTERS = {
  cold: presentCold,
  'cold show': presentColdShown,
  'cold remove': presentColdRemoved,
} satisfies Partial<Presenters>

export function presentColdHits(cold: readonly ColdHit[], terminal: Terminal): void {
  const rows = cold.map(({ ref, role, at, file, line, isKept, score, snippet, matches }) => {
    const facts = [
      visibleName(role),
      ...(at === undefined ? [] : [at.slice(0, 10)]),
      ...(isKept ? ['copy'] : []),
    ]
    return [
      `${terminal.bold(score.toFixed(2))}  ${terminal.accent(visibleName(ref))}  ${facts.join(' · ')}`,
      `      ${highlight(snippet, matches, terminal)}`,
      `      ${terminal.dim(visible(`${file}:${line}`))}`,
    ].join('\n')
  })
  terminal.out(rows.length === 0 ? 'Nothing found.\n' : `${rows.join('\n')}\n`)
}

function presentCold({ hosts, kept, problems }: AnswerOf<'cold'>, terminal: Terminal): void {
  if (hosts.length === 0)
    terminal.out('No agent on this machine has a transcript of a session in this project.\n')
  for (const { host, transcripts, bytes, oldest, newest } of hosts) {
    const isInMessages = isHostId(host) && HOSTS[host].countsMessages === true
    const size = isInMessages ? `${bytes} messages` : megabytes(bytes)
    const span =
      oldest === undefined || newest === undefined ? '' : `, ${oldest.slice(0, 10)} to ${newest.slice(0, 10)}`
    terminal.out(
      `${terminal.accent(isTranscriptHost(host) ? TRANSCRIPT_TITLES[host] : host)}  ${transcripts} ${transcripts === 1 ? 'transcript' : 'transcripts'}, ${size}${terminal.dim(span)}\n`,
    )
  }
  const what =
    kept.copies === 0
      ? 'No copies are stored'
      : `${kept.copies} stored (${megabytes(kept.bytes)}), ${kept.gone} of them of deleted transcripts`
  terminal.out(`${what}; cold.keep is ${kept.isOn ? 'on' : 'off'}. ${terminal.dim(visible(kept.folder))}\n`)
  for (const { message } of problems) terminal.out(`${terminal.bad('Problem')} ${visible(message)}\n`)
}

function presentColdShown(
  { host, session, file, isKept, messages }: AnswerOf<'cold show'>,
  terminal: Terminal,
): void {
  terminal.out(`${terminal.accent(visibleName(`${host}/${session}`))}${isKept ? ' · copy' : ''}\n`)
  terminal.out(`${terminal.dim(visible(file))}\n`)
  if (messages.length === 0) terminal.out('There are no messages there.\n')
  for (const { line, role, at, text, isMeant } of messages) {
    const head = `${isMeant ? '▸' : ' '} ${line}  ${visibleName(role)}${at === undefined ? '' : ` · ${at.slice(0, 16).replace('T', ' ')}`}`
    terminal.out(`${isMeant ? terminal.bold(head) : terminal.dim(head)}\n`)
    for (const row of text.split('\n')) terminal.out(`      ${visible(row)}\n`)
  }
}

function presentColdRemoved({ removed, bytes, dryRun }: AnswerOf<'cold remove'>, terminal: Terminal): void {
  terminal.out(
    `${removed} ${removed === 1 ? 'copy' : 'copies'} (${megabytes(bytes)}) ${dryRun ? 'would be deleted' : 'deleted'}.\n`,
  )
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1_024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`
}
