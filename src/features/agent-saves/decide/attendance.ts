import type { RunSigns } from '../../../hosts/host-adapter.ts'
import { HOSTS } from '../../../hosts/hosts.ts'
import type { HostId } from '../../../kernel/model/host.ts'

/** Whether a user is present; undefined: nothing shows it. `text` is the start of the transcript, where there is one. */
export function isAttended(host: HostId, signs: RunSigns, text: string | undefined): boolean | undefined {
  return signs.isCi ? false : HOSTS[host].isAttended?.(signs, text)
}
