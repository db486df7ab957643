import { callHub, setSelf } from '../api/hub.ts'
import { showFailure } from '../ui/toasts.tsx'

/** Runs an admin action, shows its failure, and requests the user's own permissions again, because they may have changed. */
export async function runAdminAction(work: () => Promise<void>): Promise<void> {
  try {
    await work()
    setSelf(await callHub('hubMe', {}))
  } catch (error) {
    showFailure(error)
  }
}
