import { notOnHub } from './memory-place.ts'

/** Narrows a memory to one that has these ports. Ports that need files are absent on a hub. */
export function hasPorts<M extends object, const Name extends keyof M>(
  memory: M,
  ...names: readonly Name[]
): memory is M & Required<Pick<M, Name>> {
  return names.every(name => memory[name] !== undefined)
}

/** Throws `not_on_hub` if the port is absent. `what` is the subject of the message. */
export function portOf<Port>(port: Port | undefined, what: string): Port {
  if (port === undefined) throw notOnHub(what)
  return port
}
