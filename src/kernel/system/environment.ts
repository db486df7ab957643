/** The only place that reads environment variables. */
export interface Environment {
  readonly root: string | undefined
  readonly agent: string | undefined
  readonly session: string | undefined
  readonly host: string | undefined
  readonly editor: string | undefined
  /** The database of a hub, with its password: what is typed stands in every process list. */
  readonly store: string | undefined
  readonly noColour: boolean
  /** Run inside something that Cairn itself started: a host asked for its opinion. Nothing is captured, nothing asked. */
  readonly isInternal: boolean
  /** Tried by `cairn doctor` on a project that is removed afterwards: nothing may outlive the call. */
  readonly isTrial: boolean
  /** The checkout that a run of GitHub Actions works on; undefined anywhere else. */
  readonly actionsCheckout: string | undefined
}

export const INTERNAL_VARIABLE = 'CAIRN_INTERNAL'
const TRIAL_VARIABLE = 'CAIRN_TRIAL'

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return {
    root: variables.CAIRN_ROOT || undefined,
    agent: variables.CAIRN_AGENT || undefined,
    session: variables.CAIRN_SESSION || undefined,
    host: variables.CAIRN_HOST || undefined,
    store: variables.CAIRN_STORE || undefined,
    editor: variables.VISUAL || variables.EDITOR || undefined,
    noColour: Boolean(variables.NO_COLOR) || variables.TERM === 'dumb',
    isInternal: Boolean(variables[INTERNAL_VARIABLE]),
    isTrial: Boolean(variables[TRIAL_VARIABLE]),
    actionsCheckout: variables.GITHUB_ACTIONS === 'true' ? (variables.GITHUB_WORKSPACE ?? '') : undefined,
  }
}

/** By what a hook can tell which host runs it: each sets variables of its own. */
export function callerSigns(variables: NodeJS.ProcessEnv = process.env): {
  readonly isClaudeCode: boolean
  readonly isCursor: boolean
  readonly isCopilot: boolean
} {
  return {
    isClaudeCode: Boolean(variables.CLAUDECODE || variables.CLAUDE_CODE_SESSION_ID),
    isCursor: Boolean(variables.CURSOR_VERSION),
    isCopilot: Boolean(variables.COPILOT_CLI),
  }
}

/** By what a process of ours can tell that no person is there. */
export function runSigns(variables: NodeJS.ProcessEnv = process.env): {
  readonly isCi: boolean
  readonly isClaudeAttended: boolean | undefined
} {
  const { CI, CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entrypoint } = variables
  return {
    isCi: CI !== undefined && !/^(?:|0|false)$/i.test(CI),
    isClaudeAttended:
      attended === '0' || entrypoint?.startsWith('sdk') === true
        ? false
        : attended === '1'
          ? true
          : undefined,
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

/** For a program that is tried as a host would start it: with another user's folder, and nothing of the session it is started from. */
export function trialEnvironment(
  userFolder: string,
  more: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(
    ([name]) => !/^(?:CAIRN_|CLAUDECODE$|CLAUDE_CODE_|CURSOR_|GEMINI_|CODEX_)/.test(name),
  )
  return { ...Object.fromEntries(kept), ...more, CAIRN_HOME: userFolder, [TRIAL_VARIABLE]: '1' }
}

/** For a host's own program that is only asked what it knows: whatever it wants from elsewhere is refused at once. */
export function offlineEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9'
  return {
    ...variables,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
    DISABLE_AUTOUPDATER: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}

/** For git over a repository that may be anybody's: of the caller's own work nothing, and nothing is fetched or asked. */
export function gitEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(
    ([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|CONFIG|TRACE)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  }
}
