import { createHash } from 'node:crypto'
import * as path from 'node:path'
import { isObject, parseJson } from '../../kernel/model/json-value.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Transcript, TranscriptHost } from '../../kernel/model/transcript.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import type { HostFolders } from '../../kernel/system/host-folders.ts'
import { isUnreadable, stampOfPlainFile } from '../../kernel/system/plain-file.ts'
import type { DatabaseSession } from './decide/host-transcripts.ts'
import { cwdOfTranscript, startOf } from './start-of-transcript.ts'

/** Transcripts of one host that are looked at, the newest of each folder first. */
const MAX_FILES = 50_000
const MAX_TABLE_BYTES = 4_194_304

export interface PlaceParts {
  readonly folders: HostFolders
  /** The project, behind all links. */
  readonly root: string
  /** Whether a session that was had in this folder is one of this project. */
  readonly isOurs: (cwd: string) => boolean
  /** The sessions in a database of OpenCode. Throws when it cannot be read. */
  readonly sessionsIn: (file: string) => readonly DatabaseSession[]
}

export interface FoundTranscripts {
  readonly place: string
  readonly transcripts: readonly Transcript[]
  readonly problems: readonly Problem[]
}

type Look = (parts: PlaceParts, found: Gathered) => string

/** Where each host keeps its transcripts, and how it shows which project they are of. */
export const PLACES: Readonly<Record<TranscriptHost, Look>> = {
  // <slug of the folder>/<session>.jsonl, and what sub-agents did in <session>/subagents/. The slug tells two folders not always apart.
  'claude-code'({ folders, isOurs }, found) {
    const place = path.join(folders.claude, 'projects')
    for (const slug of foldersIn(place, found)) {
      const folder = path.join(place, slug)
      for (const name of filesIn(folder, /\.jsonl$/, found)) {
        const session = name.slice(0, -'.jsonl'.length)
        const cwd = found.cwdOf(path.join(folder, name))
        if (cwd === undefined || !isOurs(cwd)) continue
        found.add('claude-code', session, path.join(folder, name), { cwd })
        const below = path.join(folder, session, 'subagents')
        for (const agent of filesIn(below, /^agent-.*\.jsonl$/, found))
          found.add(
            'claude-code',
            `${session}/${agent.slice(0, -'.jsonl'.length)}`,
            path.join(below, agent),
            {
              cwd,
              isSubAgent: true,
            },
          )
      }
    }
    return place
  },

  // YYYY/MM/DD/rollout-<time>-<session>.jsonl, all projects together: the first line names the folder.
  codex({ folders, isOurs }, found) {
    for (const place of ['sessions', 'archived_sessions'].map(name => path.join(folders.codex, name)))
      for (const file of filesBelow(place, 3, /^rollout-.*\.jsonl$/, found)) {
        const cwd = found.cwdOf(file)
        const session =
          /-([0-9a-f]{8}-[0-9a-f-]{20,40})\.jsonl$/.exec(file)?.[1] ?? path.basename(file, '.jsonl')
        if (cwd !== undefined && isOurs(cwd)) found.add('codex', session, file, { cwd })
      }
    return path.join(folders.codex, 'sessions')
  },

  // tmp/<name>/chats/session-<time>-<id>.jsonl; projects.json, .project_root or (older) a hash says whose they are.
  gemini({ folders, root, isOurs }, found) {
    const place = path.join(folders.gemini, 'tmp')
    const table = parseJson(found.read(path.join(folders.gemini, 'projects.json'), MAX_TABLE_BYTES) ?? '')
    const named = isObject(table) && isObject(table.projects) ? Object.entries(table.projects) : []
    for (const name of foldersIn(place, found)) {
      const told = found.read(path.join(place, name, '.project_root'), 4_096)?.trim()
      const cwds = [
        ...(told === undefined ? [] : [told]),
        ...named.filter(([, its]) => its === name).map(([cwd]) => cwd),
      ]
      const cwd =
        cwds.find(isOurs) ?? (name === createHash('sha256').update(root).digest('hex') ? root : undefined)
      if (cwd === undefined) continue
      const folder = path.join(place, name, 'chats')
      for (const file of filesIn(folder, /^session-.*\.jsonl?$/, found)) {
        const session = SESSION.exec(startOf(path.join(folder, file)))?.[1]
        found.add('gemini', session ?? file.replace(/\.jsonl?$/, ''), path.join(folder, file), { cwd })
      }
    }
    return place
  },

  // One database for all projects. Its other tables hold credentials and are never asked for.
  opencode({ folders, isOurs, sessionsIn }, found) {
    const place = path.join(folders.opencodeData, 'opencode.db')
    const stamp = stampOfPlainFile(place)
    if (stamp === undefined) return place
    found.trying(place, () => {
      for (const { id, directory, parent, updatedMs, messages } of sessionsIn(place)) {
        if (!isOurs(directory)) continue
        found.push({
          host: 'opencode',
          session: id,
          file: place,
          cwd: directory,
          isSubAgent: parent !== undefined,
          size: messages,
          mtimeMs: updatedMs,
          inode: 0,
        })
      }
    })
    return place
  },

  copilot({ folders, isOurs }, found) {
    const place = path.join(folders.copilot, 'session-state')
    for (const session of foldersIn(place, found)) {
      const file = path.join(place, session, 'events.jsonl')
      const told = /^cwd:\s*(.{1,4000})$/m.exec(
        found.read(path.join(place, session, 'workspace.yaml'), 65_536) ?? '',
      )
      const cwd = told?.[1]?.trim().replace(/^(['"])(.*)\1$/, '$2') ?? found.cwdOf(file)
      if (cwd !== undefined && isOurs(cwd)) found.add('copilot', session, file, { cwd })
    }
    return place
  },

  // Its lines name no folder: the slug of this one is all there is.
  cursor({ folders, root }, found) {
    const place = path.join(folders.cursor, 'projects')
    const slug = cursorSlug(root)
    const folder = path.join(place, slug, 'agent-transcripts')
    for (const name of filesIn(folder, /\.jsonl$/, found))
      found.add('cursor', name.slice(0, -'.jsonl'.length), path.join(folder, name), { cwd: root })
    for (const session of foldersIn(folder, found))
      for (const name of filesIn(path.join(folder, session), /\.jsonl$/, found))
        found.add('cursor', session, path.join(folder, session, name), {
          cwd: root,
          isSubAgent: name !== `${session}.jsonl`,
        })
    return place
  },

  cline({ folders, isOurs }, found) {
    const place = path.join(folders.cline, 'data', 'sessions')
    for (const session of foldersIn(place, found)) {
      const about = parseJson(found.read(path.join(place, session, `${session}.json`), MAX_TABLE_BYTES) ?? '')
      const cwd = isObject(about) && typeof about.cwd === 'string' ? about.cwd : undefined
      if (cwd !== undefined && isOurs(cwd))
        found.add('cline', session, path.join(place, session, `${session}.messages.json`), { cwd })
    }
    return place
  },

  // Seed B: what the project keeps itself. It may have come with a clone: links in it are not followed.
  'agent-transcripts'({ root }, found) {
    const place = path.join(root, 'agent-transcripts')
    for (const file of filesBelow(place, 3, /\.jsonl$/, found))
      found.add('agent-transcripts', sessionOfOwn(file, path.relative(place, file)), file, { cwd: root })
    return place
  },
}

const SESSION = /"(?:sessionId|session_id)"\s*:\s*"([\w-]{8,64})"/

/** A copy of what a host wrote is the session that it was there. */
function sessionOfOwn(file: string, name: string): string {
  const told = SESSION.exec(startOf(file))?.[1]
  return told ?? `agent-transcripts-${name.replace(/\.jsonl$/, '').replace(/[^\w.-]+/g, '-')}`
}

/** As Cursor makes it: `/home/ana/my shop` is `home-ana-my-shop`. */
export function cursorSlug(root: string): string {
  return root.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '')
}

export class Gathered {
  readonly transcripts: Transcript[] = []
  readonly problems: Problem[] = []
  #isFull = false

  add(
    host: TranscriptHost,
    session: string,
    file: string,
    { cwd, isSubAgent = false }: { readonly cwd: string; readonly isSubAgent?: boolean },
  ): void {
    const stamp = this.trying(file, () => stampOfPlainFile(file))
    if (stamp !== undefined && stamp.size > 0) this.push({ host, session, file, cwd, isSubAgent, ...stamp })
  }

  push(transcript: Transcript): void {
    if (this.transcripts.length < MAX_FILES) this.transcripts.push(transcript)
    else if (!this.#isFull) {
      this.#isFull = true
      this.tell(
        transcript.file,
        'transcripts_too_many',
        `only ${MAX_FILES} transcripts of a host are looked at`,
      )
    }
  }

  read(file: string, mostBytes: number): string | undefined {
    return this.trying(file, () => {
      const reading = nodeDisk.readPlain(file, mostBytes)
      return typeof reading === 'object' && reading.kind === 'read'
        ? new TextDecoder().decode(reading.bytes)
        : undefined
    })
  }

  cwdOf(file: string): string | undefined {
    return this.trying(file, () => cwdOfTranscript(file))
  }

  /** What is there and may not be read is told, and the rest is looked at. */
  trying<T>(file: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      const isDatabase = file.endsWith('.db') && error instanceof Error
      if (!isUnreadable(error) && !isDatabase) throw error
      this.tell(
        file,
        'transcripts_unreadable',
        isDatabase ? `it cannot be read: ${error.message}` : 'it cannot be read',
      )
      return undefined
    }
  }

  tell(file: string, code: NoticeCode, why: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return
    this.problems.push({
      code,
      path: file,
      message: `${file}: ${why}.`,
      hint: 'Check who may read it; the other transcripts were looked at.',
    })
  }
}
const MAX_PROBLEMS = 20

function foldersIn(folder: string, found: Gathered): string[] {
  return namesIn(folder, found, item => item.isDirectory())
}

function filesIn(folder: string, name: RegExp, found: Gathered): string[] {
  return namesIn(folder, found, item => item.isFile() && name.test(item.name))
}

function namesIn(
  folder: string,
  found: Gathered,
  wanted: (item: { readonly name: string; isFile(): boolean; isDirectory(): boolean }) => boolean,
): string[] {
  const items = found.trying(folder, () => nodeDisk.listFolder(folder)) ?? []
  return items
    .filter(wanted)
    .map(({ name }) => name)
    .sort()
}

/** Links are not followed: they may lead anywhere. */
function filesBelow(folder: string, depth: number, name: RegExp, found: Gathered): string[] {
  const here = filesIn(folder, name, found).map(file => path.join(folder, file))
  if (depth === 0) return here
  return [
    ...here,
    ...foldersIn(folder, found).flatMap(inner =>
      filesBelow(path.join(folder, inner), depth - 1, name, found),
    ),
  ]
}
