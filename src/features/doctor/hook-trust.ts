import { HOSTS } from '../../hosts/hosts.ts'
import { HOST_TITLES, type HostId } from '../../kernel/model/host.ts'
import { offlineEnvironment } from '../../kernel/system/environment.ts'
import { findProgram } from '../../kernel/system/find-program.ts'
import { openRpcConnection } from '../../kernel/system/json-rpc-lines.ts'
import type { DoctorCheck } from './check.ts'

const WITHIN_MS = 10_000

/** Whether the host runs our hooks, where it runs only trusted ones: the host itself is asked. */
export async function checkHookTrust(host: HostId, root: string, version: string): Promise<DoctorCheck[]> {
  const { hookTrust } = await HOSTS[host].install()
  if (hookTrust === undefined) return []
  const name = `${host} trust`
  const warning = (message: string): DoctorCheck[] => [
    { name, result: 'warning', message, hint: hookTrust.hint },
  ]
  const [command = ''] = HOSTS[host].programs
  const program = findProgram(command)
  if (program === undefined)
    return warning(`${command} is not on the path, so that nobody can say whether its hooks are trusted`)
  const talk = openRpcConnection([program, ...hookTrust.words], {
    cwd: root,
    environment: offlineEnvironment(),
    timeoutMs: WITHIN_MS,
  })
  const answer = await hookTrust.ask(talk, { root, version })
  const trouble = talk.trouble()
  await talk.end(1_000)
  if (answer === undefined)
    return warning(
      `${HOST_TITLES[host]} does not say whether its hooks are trusted: ${trouble || 'it answered otherwise than expected'}`,
    )
  return [{ name, ...answer }]
}
