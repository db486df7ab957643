import { callHub, setSelf } from '../api/hub.ts'
import { showFailure } from '../ui/toasts.tsx'

/** Does it and tells what failed; afterwards what one may oneself is asked anew, since it may be otherwise now. */
export async function runAdminAction(work: () => Promise<void>): Promise<void> {
  try {
    await work()
    setSelf(await callHub('hubMe', {}))
  } catch (error) {
    showFailure(error)
  }
}
