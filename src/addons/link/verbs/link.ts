import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { addressSchema, linkView, linkViewSchema } from '../../../features/status/verbs/link-view.ts'
import { nameOfPlace } from '../../../kernel/memory-place.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { absentAsUndefined } from '../../../kernel/system/disk.ts'
import { defineOperation, degradedSchema, flag, text } from '../../../verbs/operation.ts'
import { type HubAddress, isTokenText } from '../decide/link-state.ts'
import type { LinkPorts } from '../decide/ports.ts'
import { linkHub, parseHubUrl, unlinkHub } from '../link-hub.ts'

export const linkOperation = defineOperation({
  name: 'link',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  summary: 'Link this project to a project on a hub, or show its link',
  description:
    'Agents and hooks keep using the local memory and never wait for the network; `cairn sync` transfers the changes of both sides, and so does an automatic sync every few minutes. The token is stored in your own folder, readable only by you, and never in the project. The private vault, sessions and settings stay here.',
  positionals: ['hub'],
  input: v.object({
    hub: v.optional(text('The address of the hub; without it the link is shown')),
    project: v.optional(text('The name of the project there (default: the name of this folder)')),
    tokenFile: v.optional(
      text('A file with the token; - reads standard input (default: asks, or uses the previous token)'),
    ),
    insecureHttp: v.optional(flag('Allow plain HTTP to another machine')),
  }),
  output: v.object({
    link: v.pipe(linkViewSchema, v.description('null: this project is not linked')),
    isNew: v.pipe(v.boolean(), v.description('Whether it was linked just now')),
    before: v.pipe(v.nullable(addressSchema), v.description('The previous link')),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn link https://hub.example.org --project shop', does: 'asks for the token' },
    { command: 'cairn link https://hub.example.org --token-file ~/shop.token', does: 'takes it from a file' },
    { command: 'cairn link', does: 'show the link and the changes to send' },
  ],
  async run(memory, { hub, project, tokenFile, insecureHttp = false }) {
    const known = (await memory.hubLink.address()) ?? null
    if (hub !== undefined) {
      const parsed = parseHubUrl(hub, { isInsecure: insecureHttp })
      const isSame = known !== null && known.url === parsed.url
      const name = project ?? parsed.project ?? (isSame ? known.project : nameOfPlace(memory))
      await linkHub(memory, {
        url: parsed.url,
        project: name,
        token: await tokenOf(memory, tokenFile, isSame ? known : undefined),
        isInsecure: insecureHttp,
      })
    }
    return {
      link: await linkView(memory),
      isNew: hub !== undefined,
      before:
        hub === undefined || known === null
          ? null
          : { url: known.url, project: known.project, since: known.since },
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const unlinkOperation = defineOperation({
  name: 'unlink',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  summary: 'Unlink this project from its hub; entries stay on both sides',
  description:
    'The token is removed from your folder. If it is linked to the same project again, sync resumes.',
  positionals: [],
  input: v.object({}),
  output: v.object({ link: addressSchema, degraded: degradedSchema }),
  examples: [{ command: 'cairn unlink', does: 'entries stay on both sides' }],
  async run(memory) {
    const { url, project, since } = await unlinkHub(memory)
    return { link: { url, project, since }, degraded: memory.store.takeDegraded() }
  },
})

async function tokenOf(
  memory: LinkPorts,
  file: string | undefined,
  known: HubAddress | undefined,
): Promise<string> {
  if (file === undefined && known !== undefined) return memory.hubLink.token(known)
  const token = file === undefined || file === '-' ? await typedToken() : tokenIn(file)
  if (isTokenText(token)) return token
  throw new CairnError({
    code: 'invalid_input',
    message: 'The text is not a token of a hub.',
    hint: '`cairn hub token add` creates one; give it with --token-file <file>, or on standard input.',
  })
}

async function typedToken(): Promise<string> {
  const { readSecret } = await import('../../../kernel/system/read-secret.ts')
  return (await readSecret('Token of the hub (hidden): ')) ?? ''
}

function tokenIn(file: string): string {
  const found = absentAsUndefined(() => readFileSync(file, 'utf8'))
  if (found !== undefined) return found.trim()
  throw new CairnError({
    code: 'file_not_found',
    message: `There is no file ${file}.`,
    hint: 'Give the path of a file with the token.',
  })
}
