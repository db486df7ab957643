export interface ScratchServer {
  readonly url: string
  /** Stops the server; what it keeps stays. */
  halt(mode?: 'smart' | 'fast' | 'immediate'): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
  /** Stops it if it runs, and takes its folder away. */
  remove(): Promise<void>
}

export function findServerPrograms(): string | undefined
export function startScratchServer(programs: string): Promise<ScratchServer>
