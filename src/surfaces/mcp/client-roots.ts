import type { Server } from '@modelcontextprotocol/server'
import { folderOfRoot } from './project-folder.ts'

/** A host that does not answer must not make its agent wait. */
const TIMEOUT_MS = 1_000

/** The folders that a client calls its roots. */
interface ClientRoots {
  /** When the client is ready, and when it says that they changed. */
  ask(server: Server): void
  folders(): Promise<readonly string[]>
}

export function clientRoots(): ClientRoots {
  let known: Promise<readonly string[]> = Promise.resolve([])
  const askNow = async (server: Server): Promise<readonly string[]> => {
    if (server.getClientCapabilities()?.roots === undefined) return []
    try {
      const { roots } = await server.listRoots(undefined, { timeout: TIMEOUT_MS })
      return roots.flatMap(({ uri }) => folderOfRoot(uri) ?? [])
    } catch (error) {
      // No answer, or one that cannot be read: the current folder is used.
      process.stderr.write(`cairn: the client does not list its roots: ${String(error).slice(0, 200)}\n`)
      return []
    }
  }
  return {
    ask(server) {
      known = askNow(server)
    },
    folders: () => known,
  }
}
