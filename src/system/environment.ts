/** The only place that reads environment variables. */
export interface Environment {
  readonly root: string | undefined
  readonly agent: string | undefined
  readonly session: string | undefined
  readonly host: string | undefined
  readonly editor: string | undefined
  readonly noColour: boolean
}

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return {
    root: variables.CAIRN_ROOT || undefined,
    agent: variables.CAIRN_AGENT || undefined,
    session: variables.CAIRN_SESSION || undefined,
    host: variables.CAIRN_HOST || undefined,
    editor: variables.VISUAL || variables.EDITOR || undefined,
    noColour: Boolean(variables.NO_COLOR) || variables.TERM === 'dumb',
  }
}

/** A variable that the configuration names, such as the one with a key. */
export function environmentVariable(
  name: string,
  variables: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return variables[name] || undefined
}
