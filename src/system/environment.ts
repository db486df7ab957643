/** The only place that reads environment variables. */
export interface Environment {
  readonly root: string | undefined
  readonly agent: string | undefined
  readonly session: string | undefined
  readonly host: string | undefined
  readonly editor: string | undefined
  readonly noColour: boolean
  /** Run inside something that Cairn itself started: a host asked for its opinion. Nothing is captured, nothing asked. */
  readonly isInternal: boolean
  /** The checkout that a run of GitHub Actions works on; undefined anywhere else. */
  readonly actionsCheckout: string | undefined
}

export const INTERNAL_VARIABLE = 'CAIRN_INTERNAL'

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return {
    root: variables.CAIRN_ROOT || undefined,
    agent: variables.CAIRN_AGENT || undefined,
    session: variables.CAIRN_SESSION || undefined,
    host: variables.CAIRN_HOST || undefined,
    editor: variables.VISUAL || variables.EDITOR || undefined,
    noColour: Boolean(variables.NO_COLOR) || variables.TERM === 'dumb',
    isInternal: Boolean(variables[INTERNAL_VARIABLE]),
    actionsCheckout: variables.GITHUB_ACTIONS === 'true' ? (variables.GITHUB_WORKSPACE ?? '') : undefined,
  }
}

/** By what a hook can tell which host runs it: each sets variables of its own. */
export function callerSigns(variables: NodeJS.ProcessEnv = process.env): {
  readonly isClaudeCode: boolean
  readonly isCursor: boolean
} {
  return {
    isClaudeCode: Boolean(variables.CLAUDECODE || variables.CLAUDE_CODE_SESSION_ID),
    isCursor: Boolean(variables.CURSOR_VERSION),
  }
}

/** A variable that the configuration names, such as the one with a key. */
export function environmentVariable(
  name: string,
  variables: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return variables[name] || undefined
}

/** Another folder for what belongs to the user, for this process and those it starts: the build must not depend on whose it is. */
export function setUserFolder(folder: string, variables: NodeJS.ProcessEnv = process.env): void {
  variables.CAIRN_HOME = folder
}

/** For a program that Cairn starts: what it needs to run and to log in, and nothing of the session it is started from. */
export function internalEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(
    ([name]) => !/^(?:CAIRN_|CLAUDECODE$|CLAUDE_CODE_SESSION)/.test(name),
  )
  return { ...Object.fromEntries(kept), [INTERNAL_VARIABLE]: '1' }
}
